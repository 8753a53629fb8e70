"""The rubric lab from the command line: the lab itself, or two judges side by side as text."""

import asyncio
from argparse import Namespace
from pathlib import Path
from typing import Any

from rich.console import Console

from evalforge.cli import output, settings
from evalforge.cli.play import start
from evalforge.collect import collect
from evalforge.fight import FightOptions, Forge
from evalforge.judges.money import Purse
from evalforge.lab.cache import EvidenceCache
from evalforge.lab.check import check
from evalforge.lab.contenders import Contender, Pairing, Side, asking, contenders, judge_side, pairings
from evalforge.lab.draft import LabDraft
from evalforge.lab.exhibits import Exhibit, Kind, Source, exhibit
from evalforge.lab.instrument import trials_hash
from evalforge.library.pack import BossPack, find_pack
from evalforge.library.summary import boss_file
from evalforge.model.errors import SandboxError, UsageError
from evalforge.model.result import Judgement

_DONE, _NOT_JUDGED = 0, 3
_FINDINGS = 6


def lab(arguments: Namespace) -> int:
    """Open the lab on a boss, or compare two judges on a directory."""
    chosen = settings.load(arguments)
    pack = find_pack(arguments.boss, chosen.bosses)
    if arguments.compare is not None:
        return _compare(arguments, chosen, pack)
    if arguments.json or arguments.judges:
        raise UsageError("--judges and --json go with --compare DIR.")
    from evalforge.app.services import Opening

    if boss_file(Path(arguments.boss)):
        # Given by its path, a pack lies where nobody else would look.
        arguments.bosses = [pack.path, *arguments.bosses]
    return start(arguments, Opening(boss=pack.boss_id, lab=True))


def _compare(arguments: Namespace, chosen: settings.Settings, pack: BossPack) -> int:
    """Have two judges judge one directory from the same evidence."""
    both = contenders(arguments.judges or "forge,claude")
    submission = collect(arguments.compare)
    source = Source("", arguments.compare.name, Kind.ATTEMPT, submission, str(arguments.compare.absolute()))
    packs = (pack, _drafted(chosen, pack) if any(one.by_draft for one in both) else pack)
    options = FightOptions(python=chosen.python, trusted=chosen.trusted, save=False)
    try:
        shown, sides = asyncio.run(_judge(source, packs, both, chosen, options))
    except SandboxError as error:
        output.note(f"evalforge: {error}")
        return _NOT_JUDGED
    found = pairings(packs, sides)
    if arguments.json:
        output.print_json(_data(packs, shown, sides, found))
    else:
        _print(packs, shown, sides, found)
    return _DONE if all(side.judged for side in sides) else _NOT_JUDGED


def _drafted(chosen: settings.Settings, pack: BossPack) -> BossPack:
    """The pack as it is drafted in the lab.

    Raises:
        UsageError: The draft can't be used, or is open in a lab.
    """
    with LabDraft(chosen.home, pack) as draft:
        checked = check(draft)
        if checked.pack is None:
            bar = checked.barrier
            where = f" {bar.place}:{bar.line}: {bar.message}" if bar else ""
            raise UsageError(f"The draft of {pack.boss_id} can't be used as it is.{where}")
        return checked.pack


async def _judge(
    source: Source,
    packs: tuple[BossPack, BossPack],
    both: tuple[Contender, Contender],
    chosen: settings.Settings,
    options: FightOptions,
) -> tuple[Exhibit, tuple[Side, Side]]:
    cache = EvidenceCache(chosen.home, trials_hash(packs[0]))
    async with Forge() as forge:

        async def measurer() -> Forge:
            output.note("measuring ...")
            return forge

        shown = await exhibit(source, packs[0], cache, measurer, options)
    ask = asking(Purse())
    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(judge_side(one, shown, packs, chosen.models, ask)) for one in both]
    return shown, (asked[0].result(), asked[1].result())


def _data(
    packs: tuple[BossPack, BossPack], shown: Exhibit, sides: tuple[Side, Side], found: tuple[Pairing, ...]
) -> dict[str, Any]:
    return {
        "boss_id": packs[0].boss_id,
        "content_hash": shown.submission.content_hash,
        "sides": [
            {
                "name": _name(side),
                "judge": side.info.model_dump(mode="json") if side.info else None,
                "rubric_hash": packs[side.contender.by_draft].rubric_hash,
                "why_not": side.why_not,
                "result": side.judged.result.model_dump(mode="json") if side.judged else None,
                "judgements": [one.model_dump(mode="json") for one in side.judged.judgements] if side.judged else [],
                "cost": side.cost.model_dump(mode="json"),
            }
            for side in sides
        ],
        "criteria": [
            {
                "id": pairing.criterion.id,
                "label": pairing.criterion.label,
                "levels": [one.score if one else None for one in pairing.sides],
                "differs": pairing.differs,
            }
            for pairing in found
        ],
    }


def _name(side: Side) -> str:
    return side.contender.name or side.contender.judge


def _print(
    packs: tuple[BossPack, BossPack], shown: Exhibit, sides: tuple[Side, Side], found: tuple[Pairing, ...]
) -> None:
    out = output.console()
    output.line(out, (packs[0].definition.title, "bold"), f"  {shown.directory}")
    width = max(len(_name(side)) for side in sides) + 2
    for side in sides:
        output.line(out, (f"{_name(side):<{width}}", "bold"), _ending(side, packs))
    for pairing in found:
        out.print()
        mark = ("≠ ", "bold yellow") if pairing.differs else "  "
        output.line(out, mark, (pairing.criterion.label, "bold"), (f"  {pairing.criterion.id}", "dim"))
        for side, judgement in zip(sides, pairing.sides, strict=True):
            if judgement is not None:
                _print_side(out, side, judgement, pairing)


def _ending(side: Side, packs: tuple[BossPack, BossPack]) -> str:
    if side.judged is None:
        return f"could not judge: {side.why_not}"
    result = side.judged.result
    line = packs[side.contender.by_draft].rubric.overall.pass_threshold
    price = f", {side.cost.price}" if side.cost.input_tokens else ""
    verdict = result.verdict.value.replace("_", " ")
    return f"{result.score_total:g}/{result.score_max:g} {verdict}, pass at {line:g}{price}"


def _print_side(out: Console, side: Side, judgement: Judgement, pairing: Pairing) -> None:
    label = next((one.label for one in pairing.criterion.levels if one.score == judgement.score), "")
    output.line(out, (f"{_name(side)}: ", "dim"), (f"{judgement.score:g} {label}".strip(), "bold"), indent="    ")
    output.line(out, judgement.comment, indent="      ")
    if judgement.bounded:
        output.line(out, ("bounded: ", "yellow"), judgement.bounded, indent="      ")
    for finding in tuple(dict.fromkeys(judgement.findings))[:_FINDINGS]:
        place = f"{finding.place}  " if finding.place else ""
        output.line(out, (place, "cyan"), (finding.message, "dim"), indent="      ")
