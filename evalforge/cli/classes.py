"""A whole class against one boss."""

import asyncio
from argparse import Namespace
from contextlib import aclosing
from typing import TYPE_CHECKING

from evalforge.batch.classroom.engines import Engines, LocalEngines
from evalforge.batch.classroom.intake import find_hand_ins
from evalforge.batch.classroom.report import ClassReport, make_report
from evalforge.batch.classroom.rows import Outcome
from evalforge.batch.classroom.run import ClassOptions, ClassRun
from evalforge.cli import class_exports, output, settings
from evalforge.cli.class_text import ClassProgress, print_report
from evalforge.history.store import History
from evalforge.judges.options import ModelOptions
from evalforge.library.pack import BossPack, find_pack
from evalforge.model.errors import UsageError

if TYPE_CHECKING:
    from evalforge.batch.classroom.coherence import Coherence

_DONE, _UNGRADED, _INTERRUPTED = 0, 3, 130


def batch(arguments: Namespace) -> int:
    """Judge a class, export what was asked for, and print how it stands."""
    chosen = settings.load(arguments)
    pack = find_pack(arguments.boss, chosen.bosses)
    if arguments.workers is not None and arguments.workers < 1:
        raise UsageError("--workers needs a number above 0.")
    class_exports.check(arguments)
    if arguments.judge_clusters:
        _check_model(chosen.models)
    options = ClassOptions(
        # A judge that costs money is never asked about a whole class unless it was named here.
        judge=getattr(arguments, "judge", None) or "forge",
        models=chosen.models,
        python=chosen.python,
        workers=arguments.workers or 0,
        label=arguments.name,
        roster=arguments.roster,
        again=arguments.again,
        engines=_engines(arguments),
    )
    if arguments.screen:
        return _screen(arguments, pack, options)
    with History(chosen.history) as history:
        run = ClassRun(pack, arguments.place, history, options)
        if run.judge.model:
            limit = f"${chosen.models.limit:.2f}"
            output.note(f"{run.judge.name} judge, {run.judge.model}: at most {limit} for the class; the rest can wait")
        if not _judge(run):
            return _INTERRUPTED
        report = make_report(run, history)
        coherence = _ask_about_clusters(report, chosen.models) if arguments.judge_clusters else None
        class_exports.export(arguments, report, history, coherence)
    print_report(report, coherence)
    return _UNGRADED if report.outcomes.get(Outcome.UNGRADED) else _DONE


def _screen(arguments: Namespace, pack: BossPack, options: ClassOptions) -> int:
    """The game, opened on the class; exports are made there."""
    from evalforge.app.classes.opening import ClassOpening
    from evalforge.cli.play import start

    later = (*class_exports.FILES, *class_exports.FOLDERS, "github", "judge_clusters")
    asked = next((name.replace("_", "-") for name in later if getattr(arguments, name)), "")
    if asked:
        raise UsageError(f"--{asked} and --screen don't go together.", "The screen exports with e.")
    find_hand_ins(arguments.place, arguments.roster)  # what is wrong with the place is said before anything is drawn
    # Given by its path, a pack lies where nobody else would look.
    arguments.bosses = [pack.path, *arguments.bosses]
    return start(arguments, ClassOpening(boss=pack.boss_id, directory=str(arguments.place.absolute()), options=options))


def _judge(run: ClassRun) -> bool:
    """Judge; answers whether every row was settled."""
    with ClassProgress() as progress:
        try:
            asyncio.run(_follow(run, progress))
        except KeyboardInterrupt:
            done, total = progress.done, progress.total
            output.note(f"evalforge: stopped; {done} of {total} rows are settled. The same command goes on from there.")
            return False
    return True


async def _follow(run: ClassRun, progress: ClassProgress) -> None:
    async with aclosing(run.events()) as events:
        async for event in events:
            progress.show(event)


def _check_model(models: ModelOptions) -> None:
    """Refuse before a class is judged overnight, not after."""
    from evalforge.judges.choice import why_no_model

    why_not = why_no_model(models)
    if why_not:
        raise UsageError(f"No model can be asked about clusters: {why_not}.", "Leave out --judge-clusters")


def _ask_about_clusters(report: ClassReport, models: ModelOptions) -> "Coherence":
    from evalforge.batch.classroom.coherence import judge_clusters

    return asyncio.run(judge_clusters(report, models, output.note))


def _engines(arguments: Namespace) -> Engines:
    if arguments.engine == "dask":
        from evalforge.batch.classroom.cluster import ClusterEngines

        if not arguments.scheduler:
            raise UsageError("--engine dask needs the address of a scheduler.", "--scheduler tcp://HOST:8786")
        return ClusterEngines(arguments.scheduler)
    if arguments.scheduler:
        raise UsageError("--scheduler is for a cluster.", "Add --engine dask.")
    return LocalEngines()
