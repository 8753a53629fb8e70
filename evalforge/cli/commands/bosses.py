"""Reading bosses: the list, the codex, the rubric; and a starter folder."""

from argparse import Namespace
from pathlib import Path

from evalforge.cli import output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.packs.find_pack import find_pack
from evalforge.packs.new_folders import create_starter
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import exists
from evalforge.packs.summary import BossSummary, find_bosses

_TIERS = ("", "I", "II", "III", "IV")


def bosses(arguments: Namespace) -> int:
    """List the bosses."""
    from evalforge.history.boss_progress import BossProgress
    from evalforge.history.store import History

    config = settings.load(arguments)
    bosses = find_bosses(config.bosses)
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


def _as_data(boss: BossSummary, standing: object) -> dict[str, object]:
    from evalforge.history.boss_progress import BossProgress

    data: dict[str, object] = {
        "boss_id": boss.slug,
        "title": boss.title,
        "tier": boss.tier,
        "realm": boss.realm,
        "short_description": boss.short_description,
        "path": str(boss.path),
        "error": boss.error,
    }
    if isinstance(standing, BossProgress):
        data["tries"] = standing.attempt_count
        data["best_integrity"] = standing.best_integrity
        data["best_verdict"] = standing.best_verdict
    else:
        data["tries"] = 0
    return data


def _print_boss(out: object, boss: BossSummary, standing: object) -> None:
    from rich.console import Console

    from evalforge.history.boss_progress import BossProgress

    assert isinstance(out, Console)
    if boss.error:
        output.print_line(out, ("broken ", "bold red"), (f"{boss.slug:<22} ", "bold"), boss.error)
        return
    state = "new"
    if isinstance(standing, BossProgress):
        tries = f"{standing.attempt_count} {'try' if standing.attempt_count == 1 else 'tries'}"
        state = f"best {standing.best_total:g}/{standing.max_total:g} ({standing.best_verdict}), {tries}"
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
    whole = pack.rubric
    output.print_line(
        out,
        (pack.definition.title, "bold"),
        (f"  pass at {whole.overall.pass_threshold:g} of {whole.max_score:g}", "dim"),
    )
    if whole.overall.notes:
        output.print_line(out, whole.overall.notes.strip())
    for criterion in whole.criteria:
        out.print()
        weight = f"  weight {criterion.weight:g}" if criterion.weight is not None else ""
        output.print_line(out, (criterion.label, "bold"), (f"  {criterion.id}{weight}", "dim"))
        output.print_line(out, criterion.description.strip(), indent="  ")
        for level in criterion.levels:
            output.print_line(
                out, (f"{level.score:g}  {level.label}: ", "bold"), level.description.strip(), indent="  "
            )
        for words, signals in (
            ("speaks for it", criterion.signals.strong_positive),
            ("speaks against it", criterion.signals.strong_negative),
        ):
            if signals:
                output.print_line(out, (f"{words}: ", "dim"), "; ".join(signals), indent="  ")
    for warning in pack.warnings:
        output.print_note(f"warning: {warning}")
    return ExitStatus.SUCCESS


def new(arguments: Namespace) -> int:
    """Make a starter folder."""
    pack = _pack(arguments)
    directory: Path = arguments.directory or Path(pack.boss_id)
    create_starter(pack, directory)
    out = output.console()
    output.print_line(out, f"{pack.definition.title} awaits in {directory}")
    output.print_line(out, f"Judge it with: evalforge judge {pack.boss_id} {directory}")
    return ExitStatus.SUCCESS
