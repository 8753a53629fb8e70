"""Reading bosses: the list, the codex, the rubric; and a starter folder."""

import shlex
from argparse import Namespace
from pathlib import Path

from evalforge.cli import output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.packs.find_pack import find_pack
from evalforge.packs.locations import bosses_option
from evalforge.packs.new_folders import create_starter
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import exists
from evalforge.packs.release import FOR_STUDENTS
from evalforge.packs.roster_cache import ROSTER_CACHE, find_bosses_cached
from evalforge.packs.summary import BossSummary

_TIERS = ("", "I", "II", "III", "IV")


def bosses(arguments: Namespace) -> int:
    """List the bosses and how the player did on each."""
    from evalforge.history.boss_progress import BossProgress
    from evalforge.history.store import History

    config = settings.load(arguments)
    bosses = find_bosses_cached(config.bosses, config.home / ROSTER_CACHE)
    standings: dict[str, BossProgress] = {}
    if exists(config.history):
        with History(config.history) as history:
            standings = history.progress.by_boss()
    if arguments.json:
        output.print_json([_as_data(boss, standings.get(boss.slug)) for boss in bosses])
        return ExitStatus.SUCCESS
    out = output.console()
    if not bosses:
        output.print_line(out, "No bosses found in: " + ", ".join(str(folder) for folder in config.bosses))
    for boss in bosses:
        _print_boss(out, boss, standings.get(boss.slug))
    return ExitStatus.SUCCESS


def _as_data(boss: BossSummary, progress: object) -> dict[str, object]:
    from evalforge.history.boss_progress import BossProgress

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
    if isinstance(progress, BossProgress):
        data["tries"] = progress.attempt_count
        data["best_integrity"] = progress.best_integrity
        data["best_verdict"] = progress.best_verdict
    else:
        data["tries"] = 0
    return data


def _print_boss(out: object, boss: BossSummary, progress: object) -> None:
    from rich.console import Console

    from evalforge.history.boss_progress import BossProgress

    assert isinstance(out, Console)
    if boss.error:
        output.print_line(out, ("broken ", "bold red"), (f"{boss.slug:<22} ", "bold"), boss.error)
        return
    state = FOR_STUDENTS if boss.is_for_students else "new"
    if isinstance(progress, BossProgress):
        tries = f"{progress.attempt_count} {'try' if progress.attempt_count == 1 else 'tries'}"
        state = f"best {progress.best_total:g}/{progress.max_total:g} ({progress.best_verdict}), {tries}"
    tier = _TIERS[boss.tier] if 0 < boss.tier < len(_TIERS) else str(boss.tier)
    output.print_line(
        out,
        (f"{tier:<4}", "dim"),
        (f"{boss.slug:<22} ", "bold"),
        f"{boss.short_description}  ",
        (state, "dim"),
    )


def _pack(arguments: Namespace) -> BossPack:
    return find_pack(arguments.boss, settings.load(arguments).bosses)


def codex(arguments: Namespace) -> int:
    """Print a boss's codex: lore, attacks, strategy."""
    pack = _pack(arguments)
    if arguments.json:
        output.print_json(pack.codex.model_dump(mode="json"))
        return ExitStatus.SUCCESS
    out = output.console()
    boss = pack.definition
    output.print_line(
        out, (boss.title, "bold"), (f"  tier {_TIERS[boss.metadata.tier]} · {boss.metadata.realm}", "dim")
    )
    sections = [
        ("Mission", boss.long_description),
        ("Contract", boss.metadata.contract),
        ("Lore", pack.codex.lore),
        ("Attacks", pack.codex.attacks),
        ("Strategy", pack.codex.strategy),
    ]
    for title, body in sections:
        if body.strip():
            out.print()
            output.print_line(out, (title.upper(), "bold"))
            output.print_line(out, body.strip())
    return ExitStatus.SUCCESS


def rubric(arguments: Namespace) -> int:
    """Print a boss's rubric with every level."""
    pack = _pack(arguments)
    if arguments.json:
        output.print_json(pack.rubric.model_dump(mode="json"))
        return ExitStatus.SUCCESS
    out = output.console()
    full_rubric = pack.rubric
    output.print_line(
        out,
        (pack.definition.title, "bold"),
        (f"  pass at {full_rubric.overall.pass_threshold:g} of {full_rubric.max_score:g}", "dim"),
    )
    if full_rubric.overall.notes:
        output.print_line(out, full_rubric.overall.notes.strip())
    for criterion in full_rubric.criteria:
        out.print()
        weight = f"  weight {criterion.weight:g}" if criterion.weight is not None else ""
        output.print_line(out, (criterion.label, "bold"), (f"  {criterion.id}{weight}", "dim"))
        output.print_line(out, criterion.description.strip(), indent="  ")
        for level in criterion.levels:
            output.print_line(
                out, (f"{level.score:g}  {level.label}: ", "bold"), level.description.strip(), indent="  "
            )
        for words, signals in (
            ("good signs", criterion.signals.strong_positive),
            ("warning signs", criterion.signals.strong_negative),
        ):
            if signals:
                output.print_line(out, (f"{words}: ", "dim"), "; ".join(signals), indent="  ")
    for warning in pack.warnings:
        output.print_note(f"warning: {warning}")
    return ExitStatus.SUCCESS


def new(arguments: Namespace) -> int:
    """Make a starter folder."""
    pack = _pack(arguments)
    directory: Path = arguments.directory or (settings.load(arguments).folder or Path()) / pack.boss_id
    create_starter(pack, directory)
    out = output.console()
    output.print_line(out, f"{pack.definition.title} awaits in {directory}")
    command = f"evalforge judge {shlex.quote(str(directory))}{bosses_option(pack.path)}"
    output.print_line(out, f"Judge it with: {command}")
    return ExitStatus.SUCCESS
