"""Reading bosses: the list, the codex, the rubric; and a starter folder."""

from argparse import Namespace
from pathlib import Path

from evalforge.cli import output, settings
from evalforge.library.looking import exists
from evalforge.library.pack import BossPack, find_pack
from evalforge.library.scaffold import create
from evalforge.library.summary import BossSummary, find_bosses

_TIERS = ("", "I", "II", "III", "IV")


def bosses(arguments: Namespace) -> int:
    """List the bosses."""
    from evalforge.history.store import History, Standing

    chosen = settings.load(arguments)
    found = find_bosses(chosen.bosses)
    standings: dict[str, Standing] = {}
    if exists(chosen.history):
        with History(chosen.history) as history:
            standings = history.standings()
    if arguments.json:
        output.print_json([_as_data(boss, standings.get(boss.slug)) for boss in found])
        return 0
    out = output.console()
    if not found:
        output.line(out, "No bosses found in: " + ", ".join(str(folder) for folder in chosen.bosses))
    for boss in found:
        _print_boss(out, boss, standings.get(boss.slug))
    return 0


def _as_data(boss: BossSummary, standing: object) -> dict[str, object]:
    from evalforge.history.store import Standing

    data: dict[str, object] = {
        "boss_id": boss.slug,
        "title": boss.title,
        "tier": boss.tier,
        "realm": boss.realm,
        "short_description": boss.short_description,
        "path": str(boss.path),
        "error": boss.error,
    }
    if isinstance(standing, Standing):
        data["tries"] = standing.tries
        data["best_integrity"] = standing.best_integrity
        data["best_verdict"] = standing.best_verdict
    else:
        data["tries"] = 0
    return data


def _print_boss(out: object, boss: BossSummary, standing: object) -> None:
    from rich.console import Console

    from evalforge.history.store import Standing

    assert isinstance(out, Console)
    if boss.error:
        output.line(out, ("broken ", "bold red"), (f"{boss.slug:<22} ", "bold"), boss.error)
        return
    state = "new"
    if isinstance(standing, Standing):
        tries = f"{standing.tries} {'try' if standing.tries == 1 else 'tries'}"
        state = f"best {standing.best_total:g}/{standing.max_total:g} ({standing.best_verdict}), {tries}"
    tier = _TIERS[boss.tier] if 0 < boss.tier < len(_TIERS) else str(boss.tier)
    output.line(
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
        return 0
    out = output.console()
    boss = pack.definition
    output.line(out, (boss.title, "bold"), (f"  tier {_TIERS[boss.metadata.tier]} · {boss.metadata.realm}", "dim"))
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
            output.line(out, (title.upper(), "bold"))
            output.line(out, body.strip())
    return 0


def rubric(arguments: Namespace) -> int:
    """Print a boss's rubric with every level."""
    pack = _pack(arguments)
    if arguments.json:
        output.print_json(pack.rubric.model_dump(mode="json"))
        return 0
    out = output.console()
    whole = pack.rubric
    output.line(
        out,
        (pack.definition.title, "bold"),
        (f"  pass at {whole.overall.pass_threshold:g} of {whole.max_score:g}", "dim"),
    )
    if whole.overall.notes:
        output.line(out, whole.overall.notes.strip())
    for criterion in whole.criteria:
        out.print()
        weight = f"  weight {criterion.weight:g}" if criterion.weight is not None else ""
        output.line(out, (criterion.label, "bold"), (f"  {criterion.id}{weight}", "dim"))
        output.line(out, criterion.description.strip(), indent="  ")
        for level in criterion.levels:
            output.line(out, (f"{level.score:g}  {level.label}: ", "bold"), level.description.strip(), indent="  ")
        for words, signals in (
            ("speaks for it", criterion.signals.strong_positive),
            ("speaks against it", criterion.signals.strong_negative),
        ):
            if signals:
                output.line(out, (f"{words}: ", "dim"), "; ".join(signals), indent="  ")
    for warning in pack.warnings:
        output.note(f"warning: {warning}")
    return 0


def new(arguments: Namespace) -> int:
    """Make a starter folder."""
    pack = _pack(arguments)
    directory: Path = arguments.directory or Path(pack.boss_id)
    create(pack, directory)
    out = output.console()
    output.line(out, f"{pack.definition.title} awaits in {directory}")
    output.line(out, f"Judge it with: evalforge judge {pack.boss_id} {directory}")
    return 0
