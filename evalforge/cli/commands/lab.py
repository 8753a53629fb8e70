"""The rubric lab from the command line: the lab itself, or two judges compared as text."""

import asyncio
from argparse import Namespace
from pathlib import Path
from typing import Any

from rich.console import Console

from evalforge.cli import output, settings
from evalforge.cli.commands.play import start
from evalforge.cli.exit_status import ExitStatus
from evalforge.fight import FightOptions, Forge
from evalforge.lab.draft import LabDraft
from evalforge.lab.draft_check import check_draft
from evalforge.lab.judge_pair import (
    CriterionPair,
    JudgeAnswer,
    JudgeChoice,
    judge_submission,
    pair_criteria,
    parse_judge_pair,
)
from evalforge.lab.submissions import LabSubmission, SubmissionKind, measure_source
from evalforge.model.errors import UsageError
from evalforge.model.result import Judgement, verdict_words
from evalforge.packs.find_pack import find_pack
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import boss_file
from evalforge.submissions.boss_submission import collect_for

_FINDINGS = 6


def lab(arguments: Namespace) -> int:
    """Open the lab on a boss, or compare two judges on a directory.

    Raises:
        UsageError: An option is only for comparing.
    """
    config = settings.load(arguments)
    pack = find_pack(arguments.boss, config.bosses)
    if arguments.compare is not None:
        return _compare(arguments, config, pack)
    if arguments.json or arguments.judges:
        raise UsageError("--judges and --json go with --compare DIR.")
    if boss_file(Path(arguments.boss)):
        # The game would not find a pack that was given by its path.
        arguments.bosses = [pack.path, *arguments.bosses]
    return start(arguments, pack.boss_id, lambda navigator, pack: navigator.open_lab(pack))


def _compare(arguments: Namespace, config: settings.Settings, pack: BossPack) -> int:
    """Have two judges judge one directory from the same evidence."""
    judges = parse_judge_pair(arguments.judges or "forge,claude")
    submission = collect_for(pack, arguments.compare)
    directory: Path = arguments.compare / submission.folder
    source = LabSubmission("", arguments.compare.name, SubmissionKind.ATTEMPT, submission, str(directory.absolute()))
    packs = (pack, _load_draft(config, pack) if any(judge.by_draft for judge in judges) else pack)
    options = FightOptions(python=config.python, trusted=config.trusted, save=False)
    submission, answers = asyncio.run(_judge(source, packs, judges, config, options))
    pairs = pair_criteria(packs, answers)
    if arguments.json:
        output.print_json(_data(packs, submission, answers, pairs))
    else:
        _print(packs, submission, answers, pairs)
    return ExitStatus.SUCCESS if all(side.judged for side in answers) else ExitStatus.UNGRADED


def _load_draft(config: settings.Settings, pack: BossPack) -> BossPack:
    """Return the pack as drafted in the lab.

    Raises:
        UsageError: The draft can't be used, or is open in a lab.
    """
    with LabDraft(config.home, pack) as draft:
        checked = check_draft(draft)
        if checked.pack is None:
            issue = checked.blocking_issue
            where = f" {issue.place(draft.path)}: {issue.message}" if issue else ""
            raise UsageError(f"The draft of {pack.boss_id} has errors.{where}")
        return checked.pack


async def _judge(
    source: LabSubmission,
    packs: tuple[BossPack, BossPack],
    choices: tuple[JudgeChoice, JudgeChoice],
    config: settings.Settings,
    options: FightOptions,
) -> tuple[LabSubmission, tuple[JudgeAnswer, JudgeAnswer]]:
    output.print_note("measuring ...")
    async with Forge() as forge:
        submission = await measure_source(source, packs[0], forge, options)
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(judge_submission(choice, submission, packs, config.models, forge.judge))
            for choice in choices
        ]
    return submission, (tasks[0].result(), tasks[1].result())


def _data(
    packs: tuple[BossPack, BossPack],
    submission: LabSubmission,
    answers: tuple[JudgeAnswer, JudgeAnswer],
    pairs: tuple[CriterionPair, ...],
) -> dict[str, Any]:
    return {
        "boss_id": packs[0].boss_id,
        "content_hash": submission.submission.content_hash,
        "sides": [
            {
                "name": _name(side),
                "judge": side.info.model_dump(mode="json") if side.info else None,
                "rubric_hash": packs[side.choice.by_draft].rubric_hash,
                "why_not": side.failure,
                "result": side.judged.result.model_dump(mode="json") if side.judged else None,
                "judgements": [judgement.model_dump(mode="json") for judgement in side.judged.judgements]
                if side.judged
                else [],
                "cost": side.cost.model_dump(mode="json"),
            }
            for side in answers
        ],
        "criteria": [
            {
                "id": pairing.criterion.id,
                "label": pairing.criterion.label,
                "levels": [judgement.score if judgement else None for judgement in pairing.judgements],
                "differs": pairing.differs,
            }
            for pairing in pairs
        ],
    }


def _name(side: JudgeAnswer) -> str:
    return side.choice.name or side.choice.judge


def _print(
    packs: tuple[BossPack, BossPack],
    submission: LabSubmission,
    answers: tuple[JudgeAnswer, JudgeAnswer],
    pairs: tuple[CriterionPair, ...],
) -> None:
    out = output.console()
    output.print_line(out, (packs[0].definition.title, "bold"), f"  {submission.directory}")
    width = max(len(_name(side)) for side in answers) + 2
    for side in answers:
        output.print_line(out, (f"{_name(side):<{width}}", "bold"), _result_text(side, packs))
    for pairing in pairs:
        out.print()
        mark = ("≠ ", "bold yellow") if pairing.differs else "  "
        output.print_line(out, mark, (pairing.criterion.label, "bold"), (f"  {pairing.criterion.id}", "dim"))
        for side, judgement in zip(answers, pairing.judgements, strict=True):
            if judgement is not None:
                _print_side(out, side, judgement, pairing)


def _result_text(side: JudgeAnswer, packs: tuple[BossPack, BossPack]) -> str:
    if side.judged is None:
        return f"could not judge: {side.failure}"
    result = side.judged.result
    line = packs[side.choice.by_draft].rubric.overall.pass_threshold
    price = f", {side.cost.price}" if side.cost.input_tokens else ""
    verdict = verdict_words(result.verdict)
    return f"{result.score_total:g}/{result.score_max:g} {verdict}, pass at {line:g}{price}"


def _print_side(out: Console, side: JudgeAnswer, judgement: Judgement, pairing: CriterionPair) -> None:
    label = pairing.criterion.level_label(judgement.score)
    output.print_line(out, (f"{_name(side)}: ", "dim"), (f"{judgement.score:g} {label}".strip(), "bold"), indent="    ")
    output.print_line(out, judgement.comment, indent="      ")
    if judgement.bounded:
        output.print_line(out, ("bounded: ", "yellow"), judgement.bounded, indent="      ")
    for finding in tuple(dict.fromkeys(judgement.findings))[:_FINDINGS]:
        place = f"{finding.place}  " if finding.place else ""
        output.print_line(out, (place, "cyan"), (finding.message, "dim"), indent="      ")
