"""The list of bosses and the player's standing with each."""

from argparse import Namespace
from typing import TYPE_CHECKING

from evalforge.cli import line_output, output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.model.number_format import format_count
from evalforge.packs.path_checks import exists
from evalforge.packs.release import FOR_STUDENTS
from evalforge.packs.roster_cache import ROSTER_CACHE, find_bosses_cached
from evalforge.packs.summary import TIERS, BossSummary

if TYPE_CHECKING:
    from evalforge.history.boss_progress import BossProgress


def bosses(arguments: Namespace) -> int:
    """List the bosses and the player's result on each."""
    config = settings.load(arguments)
    bosses = find_bosses_cached(config.bosses, config.home / ROSTER_CACHE)
    standings: dict[str, BossProgress] = {}
    if exists(config.history):
        from evalforge.history.boss_progress import read_boss_progress

        standings = read_boss_progress(config.history)
    if arguments.json:
        output.print_json([_as_data(boss, standings.get(boss.slug)) for boss in bosses])
        return ExitStatus.SUCCESS
    if not bosses:
        line_output.print_line("No bosses found in: " + ", ".join(str(folder) for folder in config.bosses))
    for boss in bosses:
        _print_boss(boss, standings.get(boss.slug))
    return ExitStatus.SUCCESS


def _as_data(boss: BossSummary, progress: "BossProgress | None") -> dict[str, object]:
    data: dict[str, object] = {
        "boss_id": boss.slug,
        "title": boss.title,
        "tier": boss.tier,
        "realm": boss.realm,
        "short_description": boss.short_description,
        "path": str(boss.path),
        "error": boss.error,
        "for_students": boss.is_for_students,
    }
    if progress is not None:
        data["tries"] = progress.attempt_count
        data["best_integrity"] = progress.best_integrity
        data["best_verdict"] = progress.best_verdict
    else:
        data["tries"] = 0
    return data


def _print_boss(boss: BossSummary, progress: "BossProgress | None") -> None:
    if boss.error:
        line_output.print_line(("broken ", "bold red"), (f"{boss.slug:<22} ", "bold"), boss.error)
        return
    state = FOR_STUDENTS if boss.is_for_students else "new"
    if progress is not None:
        tries = format_count(progress.attempt_count, "attempt")
        state = f"best {progress.best_total:g}/{progress.max_total:g} ({progress.best_verdict}), {tries}"
    tier = TIERS[boss.tier] if 0 < boss.tier < len(TIERS) else str(boss.tier)
    line_output.print_line(
        (f"{tier:<4}", "dim"), (f"{boss.slug:<22} ", "bold"), f"{boss.short_description}  ", (state, "dim")
    )
