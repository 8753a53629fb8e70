"""A whole class against one boss."""

import asyncio
from argparse import Namespace
from contextlib import aclosing

from evalforge.classroom.class_row import RowOutcome
from evalforge.classroom.class_run import ClassOptions, ClassRun
from evalforge.classroom.engines import EngineProvider, LocalEngines
from evalforge.classroom.export.forms import ClassExport
from evalforge.classroom.grading import read_grading
from evalforge.classroom.intake import find_hand_ins
from evalforge.classroom.report import make_report
from evalforge.cli import output, settings
from evalforge.cli.commands import batch_exports
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.pipeline_files import parse_targets, write_targets
from evalforge.cli.text.class_report import ClassProgress, print_report
from evalforge.history.store import History
from evalforge.model.errors import UsageError
from evalforge.model.result import NOT_CALIBRATED
from evalforge.packs.calibrated import is_calibrated
from evalforge.packs.find_pack import find_pack
from evalforge.packs.pack import BossPack


def batch(arguments: Namespace) -> int:
    """Judge a class, write the requested exports, and print the results.

    Raises:
        UsageError: An option can't be used, or the class can't be read.
    """
    config = settings.load(arguments)
    pack = find_pack(arguments.boss, config.bosses)
    if arguments.workers is not None and arguments.workers < 1:
        raise UsageError("--workers needs a number above 0.")
    batch_exports.check(arguments)
    targets = parse_targets(arguments.write)
    options = ClassOptions(
        # A judge that costs money never judges a whole class unless it was named here.
        judge=getattr(arguments, "judge", None) or "forge",
        models=config.models,
        python=config.python,
        workers=arguments.workers or 0,
        label=arguments.name,
        roster=arguments.roster,
        again=arguments.again,
        engines=_engines(arguments),
        grading=read_grading(arguments.grading) if arguments.grading else None,
    )
    if arguments.screen:
        return _screen(arguments, pack, options)
    with History(config.history) as history:
        run = ClassRun(pack, arguments.place, history, options)
        if not is_calibrated(pack):
            output.print_note(f"{pack.boss_id} is {NOT_CALIBRATED}. Try: evalforge check {pack.path}")
        if run.judge.model:
            limit = f"${config.models.budget_usd:.2f}"
            output.print_note(f"{run.judge.name} judge, {run.judge.model}: at most {limit} for the class")
        if not _judge(run):
            return ExitStatus.INTERRUPTED
        report = make_report(run, history)
        exported = ClassExport(report, history)
        batch_exports.export(arguments, exported)
        write_targets(targets, batch_exports.judged_folders(exported, pack) if targets else ())
        if arguments.format != "text":
            batch_exports.print_class(arguments.format, exported, pack)
    if arguments.format == "text":
        print_report(report)
    return ExitStatus.UNGRADED if report.outcomes.get(RowOutcome.UNGRADED) else ExitStatus.SUCCESS


def _screen(arguments: Namespace, pack: BossPack, options: ClassOptions) -> int:
    """Open the game on the class; exports are made there."""
    from evalforge.cli.commands.play import start

    unread_options = (*batch_exports.FORMS, *batch_exports.FOLDERS, "github")
    if arguments.format != "text":
        raise UsageError("--format and --screen don't go together.", "The screen exports with x.")
    option = next((name.replace("_", "-") for name in unread_options if getattr(arguments, name)), "")
    if option:
        raise UsageError(f"--{option} and --screen don't go together.", "The screen exports with x.")
    with find_hand_ins(arguments.place, arguments.roster, pack.entry_file):
        pass  # errors in the class's folder are printed before the screen opens
    # The game would not find a pack that was given by its path.
    arguments.bosses = [pack.path, *arguments.bosses]
    place = arguments.place.absolute()
    return start(arguments, pack.boss_id, lambda navigator, pack: navigator.open_class(pack, place, options))


def _judge(run: ClassRun) -> bool:
    """Judge the class; returns whether every row was settled."""
    with ClassProgress() as progress:
        try:
            asyncio.run(_follow(run, progress))
        except KeyboardInterrupt:
            done, total = progress.done, progress.total
            output.print_note(
                f"evalforge: stopped; {done} of {total} submissions are judged. Run the same command to continue."
            )
            return False
    return True


async def _follow(run: ClassRun, progress: ClassProgress) -> None:
    async with aclosing(run.events()) as events:
        async for event in events:
            progress.show(event)


def _engines(arguments: Namespace) -> EngineProvider:
    if arguments.engine == "dask":
        from evalforge.classroom.dask_engines import ClusterEngines

        if not arguments.scheduler:
            raise UsageError("--engine dask needs the address of a scheduler.", "--scheduler tcp://HOST:8786")
        return ClusterEngines(arguments.scheduler)
    if arguments.scheduler:
        raise UsageError("--scheduler is for a cluster.", "Add --engine dask.")
    return LocalEngines()
