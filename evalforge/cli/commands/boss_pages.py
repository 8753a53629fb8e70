"""Commands for reading a boss: its codex, its rubric; and for creating a starter folder."""

import shlex
from argparse import Namespace
from contextlib import suppress
from pathlib import Path

from evalforge.cli import output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.history.store import History
from evalforge.model.errors import HistoryError
from evalforge.packs.find_pack import find_pack
from evalforge.packs.locations import bosses_option
from evalforge.packs.new_folders import create_starter
from evalforge.packs.pack import BossPack
from evalforge.packs.summary import TIERS


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
    output.print_line(out, (boss.title, "bold"), (f"  tier {TIERS[boss.metadata.tier]} · {boss.metadata.realm}", "dim"))
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
            output.print_prose(out, body)
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
            output.print_line(out, (f"{level.score:g}  {level.label}: ", "bold"), level.full_description, indent="  ")
        for heading, signals in (
            ("good signs", criterion.signals.strong_positive),
            ("warning signs", criterion.signals.strong_negative),
        ):
            if signals:
                output.print_line(out, (f"{heading}: ", "dim"), "; ".join(signals), indent="  ")
    return ExitStatus.SUCCESS


def new(arguments: Namespace) -> int:
    """Create a starter folder."""
    pack = _pack(arguments)
    directory: Path = arguments.directory or (settings.load(arguments).folder or Path()) / pack.boss_id
    create_starter(pack, directory)
    with suppress(HistoryError), History(settings.load(arguments).history) as history:
        history.record_starter(pack.boss_id, directory)
    out = output.console()
    output.print_line(out, f"{pack.definition.title} awaits in {directory}")
    command = f"evalforge judge {shlex.quote(str(directory))}{bosses_option(pack.path)}"
    output.print_line(out, f"Judge it with: {command}")
    return ExitStatus.SUCCESS
