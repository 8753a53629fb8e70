"""Making bosses: lint a pack, compare a judge with gold levels, start a new pack."""

import asyncio
import shlex
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evalforge.cli import output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.model.errors import PackError, UsageError
from evalforge.packs.locations import bosses_option, short_path
from evalforge.packs.path_checks import boss_file, folder_fault, is_folder
from evalforge.packs.summary import find_bosses

if TYPE_CHECKING:
    from rich.console import Console

    from evalforge.calibration.calibrate import CalibrationPlan
    from evalforge.calibration.impostor_matrix import ImpostorMatrix
    from evalforge.packs.issue import Issue
    from evalforge.packs.pack import BossPack


def lint(arguments: Namespace) -> int:
    """Print what is wrong with packs as far as reading shows it; the exit status is 2 if anything is."""
    from evalforge.packs.lint.lint import lint as lint_pack

    folders = _packs(arguments)
    out = output.console()
    problems = 0
    for folder in folders:
        for issue in lint_pack(folder):
            problems += issue.is_problem
            _print_issue(out, issue)
        if arguments.clauses:
            _print_clauses(out, folder)
        if arguments.words:
            _print_words(out, folder)
    count = f"{len(folders)} {'boss' if len(folders) == 1 else 'bosses'}"
    problems_text = f"{problems} {'problem' if problems == 1 else 'problems'}" if problems else "no problems"
    output.print_line(out, (f"{count}, {problems_text}", "bold red" if problems else "bold green"))
    return ExitStatus.UNUSABLE if problems else ExitStatus.SUCCESS


def _print_clauses(out: "Console", folder: Path) -> None:
    from evalforge.cli.text.contract_coverage import print_coverage
    from evalforge.packs.lint.trial_checks import contract_coverage
    from evalforge.packs.lint.unchecked_pack import read_unchecked_pack

    print_coverage(folder.resolve().name, contract_coverage(read_unchecked_pack(folder)), out)


def _print_words(out: "Console", folder: Path) -> None:
    from evalforge.cli.text.level_words import print_level_words
    from evalforge.packs.level_words import level_words
    from evalforge.packs.lint.unchecked_pack import read_unchecked_pack

    pack = read_unchecked_pack(folder)
    if pack.rubric is not None and pack.rules is not None:
        rubric, rules = pack.rubric, pack.rules
        words = level_words(rubric.value, rules.value, rubric.document, rules.document)
        print_level_words(folder.resolve().name, words, (rubric.document.path, rules.document.path), out)


def _packs(arguments: Namespace) -> list[Path]:
    """Return the folders named by slug or path; without names, all folders with packs."""
    bosses = find_bosses(settings.load(arguments).bosses)
    if not arguments.packs:
        if not bosses:
            raise UsageError("There are no bosses to lint.", "Name a folder: evalforge lint PATH")
        return [boss.path for boss in bosses]
    slugs = {boss.slug: boss.path for boss in bosses}
    return [_pack(name, slugs) for name in arguments.packs]


def find_folder(name: str, folders: tuple[Path, ...]) -> Path:
    """Return the folder of a pack that may be broken, by its slug or path.

    Raises:
        UsageError: There is no such pack.
    """
    return _pack(name, {boss.slug: boss.path for boss in find_bosses(folders)})


def _pack(name: str, slugs: dict[str, Path]) -> Path:
    if name in slugs:
        return slugs[name]
    if boss_file(Path(name)):
        return Path(name)
    if is_folder(Path(name)):
        raise UsageError(f"{name} is not a boss pack: it has no boss.yaml.", "Start one with: evalforge new-boss SLUG")
    fault = folder_fault(Path(name))
    raise UsageError(f"There is no boss called {name!r}, and the folder {fault}.", f"Bosses: {', '.join(slugs)}.")


def _print_issue(out: "Console", issue: "Issue") -> None:
    line = f":{issue.line}" if issue.line else ""
    kind = () if issue.is_problem else (("note: ", "dim"),)
    output.print_line(out, (f"{short_path(issue.path)}{line}: ", "bold"), *kind, issue.message)


def calibrate(arguments: Namespace) -> int:
    """Compare a judge with gold; the exit status is 3 if anything could not be judged.

    Raises:
        UsageError: The options contradict each other, or a folder can't be used.
    """
    from evalforge.calibration.calibrate import calibrate as run
    from evalforge.calibration.calibrate import keep_agreements
    from evalforge.calibration.calibration_plan import CalibrationPlan, submissions_with_gold
    from evalforge.cli.text.calibration import print_calibration
    from evalforge.cli.text.model_judging import print_cost, print_price
    from evalforge.fight import FightOptions

    if bool(arguments.boss) == bool(arguments.all):
        raise UsageError("Name one boss, or --all.")
    if arguments.repeat < 1:
        raise UsageError(f"--repeat {arguments.repeat}: use at least 1.")
    config = settings.load(arguments)
    # Not the configured judge: many judgings by a model cost money, so that has to be requested.
    options = FightOptions(judge=getattr(arguments, "judge", None) or "forge", models=config.models, save=False)
    packs = _all_packs(config) if arguments.all else (_one_pack(arguments.boss, config),)
    if arguments.impostors or arguments.faults:
        return _calibrate_impostors(packs, config.home, is_spill_asked=arguments.faults, as_json=arguments.json)
    if arguments.reasons is not None:
        return _calibrate_reasons(CalibrationPlan(packs, options, submissions=arguments.reasons), arguments)
    if arguments.submissions is not None and (fault := folder_fault(arguments.submissions)):
        raise UsageError(f"--submissions {arguments.submissions} {fault}.")
    plan = CalibrationPlan(packs, options, arguments.repeat, arguments.submissions)
    is_asked = options.judge != "forge"
    if is_asked:
        asyncio.run(print_price(submissions_with_gold(plan), options, times=plan.repeats, ask=False))
    calibration = asyncio.run(run(plan, output.print_note))
    if is_asked:
        print_cost(calibration.cost)
    if arguments.json:
        output.print_json(calibration.model_dump(mode="json"))
    else:
        print_calibration(calibration)
    if not is_asked and arguments.submissions is None:
        keep_agreements(plan, calibration)
    return ExitStatus.UNGRADED if calibration.not_judged else ExitStatus.SUCCESS


def _calibrate_impostors(packs: "Sequence[BossPack]", state: Path, *, is_spill_asked: bool, as_json: bool) -> int:
    """Return 2 if a right program fails a trial, or no trial of its criterion catches an impostor.

    If spill is asked for, also return 2 if a fault doesn't lower its own criterion, or lowers another.
    """
    from evalforge.cli.text.impostor_matrix import print_matrix, print_spill

    matrices = asyncio.run(_measure_impostors(packs, state))
    if as_json:
        output.print_json([matrix.model_dump(mode="json") for matrix in matrices])
    else:
        print_one = print_spill if is_spill_asked else print_matrix
        for matrix in matrices:
            print_one(matrix, output.console())
    is_fine = all(matrix.is_sound and (matrix.charges_each_once or not is_spill_asked) for matrix in matrices)
    return ExitStatus.SUCCESS if is_fine else ExitStatus.UNUSABLE


async def _measure_impostors(packs: "Sequence[BossPack]", state: Path) -> "list[ImpostorMatrix]":
    from evalforge.calibration.impostor_runs import measure_impostors
    from evalforge.engine_pool import open_engines

    async with open_engines() as engines:
        return [await measure_impostors(pack, engines, state, output.print_note) for pack in packs]


def _calibrate_reasons(plan: "CalibrationPlan", arguments: Namespace) -> int:
    """Return 3 if anything could not be judged, and 2 if a sentence is contradicted."""
    from evalforge.calibration.calibrate import submissions_with_gold
    from evalforge.calibration.reasons import check_reasons
    from evalforge.cli.text.model_judging import print_price
    from evalforge.cli.text.reasons import print_reasons

    if fault := folder_fault(arguments.reasons):
        raise UsageError(f"--reasons {arguments.reasons} {fault}.")
    if plan.options.judge != "forge":
        asyncio.run(print_price(submissions_with_gold(plan), plan.options, ask=False))
    reasons = asyncio.run(check_reasons(plan, output.print_note))
    if arguments.json:
        output.print_json(reasons.model_dump(mode="json"))
    else:
        print_reasons(reasons, output.console())
    if reasons.not_judged:
        return ExitStatus.UNGRADED
    return ExitStatus.UNUSABLE if reasons.contradicted else ExitStatus.SUCCESS


def _one_pack(name: str, config: settings.Settings) -> "BossPack":
    from evalforge.packs.find_pack import find_pack

    return find_pack(name, config.bosses)


def _all_packs(config: settings.Settings) -> "tuple[BossPack, ...]":
    """Return every sound pack with exemplars; a broken one is reported and skipped."""
    from evalforge.packs.pack import load_pack

    packs: list[BossPack] = []
    for boss in find_bosses(config.bosses):
        try:
            pack = load_pack(boss.path)
        except PackError as error:
            output.print_note(f"left out: {error}")
            continue
        if pack.exemplars:
            packs.append(pack)
    return tuple(packs)


def new_boss(arguments: Namespace) -> int:
    """Create a starter boss pack."""
    from evalforge.packs.new_folders import create_pack
    from evalforge.packs.skeleton import Skeleton, SkeletonKind

    skeleton = Skeleton(arguments.slug, SkeletonKind(arguments.kind), arguments.entry, arguments.criteria)
    pack = create_pack(arguments.slug, arguments.directory or Path(), skeleton)
    out = output.console()
    folder, bosses = shlex.quote(short_path(pack)), bosses_option(pack)
    starter = shlex.quote(short_path(pack / "starter"))
    output.print_line(out, f"Created a starter boss in {short_path(pack)}.")
    output.print_line(out, f"What to fix:    evalforge check {folder}")
    output.print_line(out, f"Fight it:       evalforge judge {arguments.slug} {starter}{bosses}")
    output.print_line(out, f"In the game:    evalforge{bosses}")
    return ExitStatus.SUCCESS
