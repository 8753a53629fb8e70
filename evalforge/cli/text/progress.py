"""Rank, best tries and achievements, as lines of text and as data."""

from typing import Any

from evalforge.cli import output
from evalforge.model.result import verdict_words
from evalforge.progress.progress import Progress


def show(progress: Progress) -> None:
    """Print how far the smith has come."""
    out = output.console()
    climb = progress.climb
    output.print_line(out, (climb.rank.name, "bold"), f"  {climb.rank.words}")
    output.print_line(out, f"{progress.defeated} defeated, {progress.flawless} flawless")
    if climb.following:
        output.print_line(out, (f"{climb.following.name} in {climb.missing}: one a boss, one more if flawless", "dim"))
    if progress.bests:
        out.print()
    for boss_id, best in sorted(progress.bests.items()):
        deed = best.deed
        verdict = verdict_words(deed.verdict)
        output.print_line(out, f"{boss_id:<24} {deed.total:g}/{deed.highest:g} {verdict:<12} tries {best.tries}")
    out.print()
    for achievement, award in progress.awards:
        output.print_line(out, ("★ ", "yellow"), (achievement.title, "bold"), f"  {achievement.words}")
        output.print_line(
            out, (f"{award.at.astimezone():%Y-%m-%d}  {award.boss_title}  {award.attempt_id}", "dim"), indent="  "
        )
    for achievement in progress.open:
        output.print_line(out, ("☆ ", "dim"), achievement.title, (f"  {achievement.words}", "dim"))


def data(progress: Progress) -> dict[str, Any]:
    """The same for programs."""
    climb = progress.climb
    return {
        "rank": climb.rank.name,
        "points": climb.points,
        "next_rank": climb.following.name if climb.following else None,
        "missing": climb.missing,
        "defeated": progress.defeated,
        "flawless": progress.flawless,
        "ranks": [{"name": rank.name, "reached_at": at.isoformat()} for rank, at in progress.ranks],
        "bosses": {
            boss_id: {
                "tries": best.tries,
                "attempt_id": best.deed.id,
                "score_total": best.deed.total,
                "score_max": best.deed.highest,
                "verdict": best.deed.verdict,
            }
            for boss_id, best in sorted(progress.bests.items())
        },
        "achievements": [
            {
                "id": achievement.id,
                "title": achievement.title,
                "words": achievement.words,
                "attempt_id": award.attempt_id,
                "earned_at": award.at.isoformat(),
            }
            for achievement, award in progress.awards
        ],
        "open": [achievement.id for achievement in progress.open],
    }
