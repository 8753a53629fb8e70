"""Rank, best attempts and achievements, as lines of text and as data."""

from typing import Any

from evalforge.cli import output
from evalforge.model.number_format import format_count
from evalforge.model.result import verdict_words
from evalforge.progress.progress import PlayerProgress


def print_progress(progress: PlayerProgress) -> None:
    """Print rank, best attempts and achievements."""
    out = output.console()
    rank_progress = progress.rank_progress
    output.print_line(out, (rank_progress.rank.name, "bold"), f"  {rank_progress.rank.motto}")
    output.print_line(out, f"{progress.defeated_count} defeated, {progress.flawless_count} flawless")
    if rank_progress.next_rank:
        missing = format_count(rank_progress.points_missing, "point")
        output.print_line(
            out,
            (f"{missing} to {rank_progress.next_rank.name} (1 per boss defeated, +1 if flawless)", "dim"),
        )
    if progress.boss_records:
        out.print()
    for boss_id, record in sorted(progress.boss_records.items()):
        attempt = record.best
        verdict = verdict_words(attempt.verdict)
        output.print_line(
            out, f"{boss_id:<24} {attempt.score:g}/{attempt.max_score:g} {verdict:<12} attempts {record.attempt_count}"
        )
    out.print()
    for achievement, award in progress.awards:
        output.print_line(out, ("★ ", "yellow"), (achievement.title, "bold"), f"  {achievement.description}")
        output.print_line(
            out,
            (f"{award.earned_at.astimezone():%Y-%m-%d}  {award.boss_title}  {award.attempt_id}", "dim"),
            indent="  ",
        )
    for achievement in progress.unearned:
        output.print_line(out, ("☆ ", "dim"), achievement.title, (f"  {achievement.description}", "dim"))


def progress_data(progress: PlayerProgress) -> dict[str, Any]:
    """Return rank, achievements and records as data for ``--json``."""
    rank_progress = progress.rank_progress
    return {
        "rank": rank_progress.rank.name,
        "points": rank_progress.points,
        "next_rank": rank_progress.next_rank.name if rank_progress.next_rank else None,
        "missing": rank_progress.points_missing,
        "defeated": progress.defeated_count,
        "flawless": progress.flawless_count,
        "ranks": [{"name": rank.name, "reached_at": at.isoformat()} for rank, at in progress.ranks_reached],
        "bosses": {
            boss_id: {
                "tries": record.attempt_count,
                "attempt_id": record.best.id,
                "score_total": record.best.score,
                "score_max": record.best.max_score,
                "verdict": record.best.verdict,
            }
            for boss_id, record in sorted(progress.boss_records.items())
        },
        "achievements": [
            {
                "id": achievement.id,
                "title": achievement.title,
                "words": achievement.description,
                "attempt_id": award.attempt_id,
                "earned_at": award.earned_at.isoformat(),
            }
            for achievement, award in progress.awards
        ],
        "open": [achievement.id for achievement in progress.unearned],
    }
