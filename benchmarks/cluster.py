"""A large class on a Dask cluster of two local workers, one of which is killed halfway: rows, attempts, memory.

``EVALFORGE_CLASS_SIZE`` says how many hand-ins there are: copies of a boss's exemplars without their tests, ten of each
kind, nine of them with other local names, all with a line of their own. Needs ``distributed``. Then ten times as many,
whose evidence is measured once for each exemplar: what judging, storing and reporting alone take.
"""

import ast
import asyncio
import contextlib
import importlib.util
import os
import shutil
import signal
import sqlite3
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from benchmarks.classes import resident_mb
from benchmarks.fights import PACK
from benchmarks.measure import Options
from evalforge.classroom.class_row import ClassRow, RowOutcome
from evalforge.classroom.class_run import ClassOptions, ClassRun
from evalforge.classroom.dask_engines import ClusterEngines
from evalforge.classroom.report import make_report
from evalforge.classroom.submission_source import MAX_ENTRIES
from evalforge.evidence.engine import Engine
from evalforge.history.store import History
from evalforge.model.events import Event
from evalforge.model.submission import Submission
from evalforge.packs.pack import load_pack

_WORKERS = 2
_COPIES = 10
_BOSS = PACK.parent / "training-dummy"


def rename_locals(source: str, suffix: str) -> str:
    """A program with every local variable renamed, where that can be seen to be safe."""
    tree = ast.parse(source)
    local, other = set[str](), set[str]()
    inside = {
        id(node) for function in ast.walk(tree) if isinstance(function, ast.FunctionDef) for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            (local if id(node) in inside else other).add(node.id)
        for field in ("name", "arg", "asname", "attr"):
            if isinstance(value := getattr(node, field, None), str):
                other.add(value)
        other.update(getattr(node, "names", ()) if isinstance(node, ast.Global | ast.Nonlocal) else ())
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in local - other:
            node.id += suffix
    return ast.unparse(tree)


def lay_out(folder: Path, size: int) -> dict[str, str]:
    """A class in a folder: by student, the exemplar that was handed in."""
    exemplars = [path for path in sorted((_BOSS / "exemplars").iterdir()) if path.is_dir()]
    made: dict[str, str] = {}
    for number in range(size):
        exemplar = exemplars[number // _COPIES % len(exemplars)]
        target = folder / f"student-{number:04}"
        shutil.copytree(exemplar, target, ignore=shutil.ignore_patterns("__pycache__", "gold.yaml", "test*"))
        for path in target.rglob("*.py"):
            if number % _COPIES:
                with contextlib.suppress(SyntaxError):  # an exemplar may not parse
                    path.write_text(rename_locals(path.read_text(), f"_{number % _COPIES}"))
        (target / "README.md").write_text(f"Student {number}\n")
        made[target.name] = exemplar.name
    return made


async def judge_on_cluster(place: Path, history: History, size: int) -> tuple[ClassRun, list[float], Counter[str]]:
    """Judge a class on a cluster; the memory of this process at each tenth, and how often each row began."""
    distributed: Any = importlib.import_module("distributed")
    memory: list[float] = []
    started: Counter[str] = Counter()
    async with distributed.LocalCluster(
        n_workers=_WORKERS, threads_per_worker=1, processes=True, asynchronous=True, dashboard_address=None
    ) as cluster:
        run = ClassRun(
            load_pack(_BOSS), place, history, ClassOptions(engines=ClusterEngines(cluster.scheduler_address))
        )
        async with aclosing(run.events()) as events:
            async for event in events:
                if event.kind == "row_started":
                    started[event.row_id] += 1
                if event.kind == "row_settled":
                    if event.done % max(1, size // 10) == 0:
                        memory.append(resident_mb()[0])
                    if event.done == size // 2:
                        os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
    return run, memory, started


class _RememberingEngine(Engine):
    """Runs the code of each exemplar once, and remembers the events for its copies."""

    _remembered: ClassVar[dict[str, list[Event]]] = {}

    def __init__(self, kinds: dict[str, str]) -> None:
        super().__init__()
        self._kinds = kinds

    async def gather(
        self,
        trial_seed: str,
        trials: Path,
        entry_files: tuple[str, ...],
        submission: Submission,
        *more: Any,
        **named: Any,
    ) -> AsyncGenerator[Event]:
        number = int(submission.contents["README.md"].split()[1])
        kind = self._kinds[f"student-{number:04}"]
        if kind not in self._remembered:
            gathering = super().gather(trial_seed, trials, entry_files, submission, *more, **named)
            self._remembered[kind] = [event async for event in gathering]
        for event in self._remembered[kind]:
            yield event


@dataclass(frozen=True)
class _RememberingEngines:
    kinds: dict[str, str]

    async def open(self, worker_count: int) -> list[tuple[Engine, str]]:
        return [(_RememberingEngine(self.kinds), "") for _ in range(worker_count or _WORKERS)]

    async def close(self) -> None:
        pass


async def judge_remembered(place: Path, history: History, kinds: dict[str, str]) -> tuple[ClassRun, list[float]]:
    """Judge a class whose code is run once for each exemplar; the memory of this process at each tenth."""
    run = ClassRun(load_pack(_BOSS), place, history, ClassOptions(engines=_RememberingEngines(kinds)))
    tenth = max(1, len(kinds) // 10)
    async with aclosing(run.events()) as events:
        settled = (event async for event in events if event.kind == "row_settled")
        memory = [resident_mb()[0] async for event in settled if event.done % tenth == 0]
    return run, memory


def _scores(rows: dict[str, ClassRow], kinds: dict[str, str]) -> dict[str, set[float]]:
    scores: dict[str, set[float]] = defaultdict(set)
    for name, row in rows.items():
        if row.judged is not None:
            scores[kinds[name]].add(row.judged.score_total)
    return scores


def main(options: Options) -> None:
    """Print the figures; one round, however many are asked for."""
    size = options.size(int(os.environ.get("EVALFORGE_CLASS_SIZE", "100")), 2)
    if importlib.util.find_spec("distributed") is None:
        print("\nA class on a cluster: distributed is not installed: pip install '.[dask]'")
    else:
        _on_a_cluster(size)
    _remembered(min(10 * size, MAX_ENTRIES))


def _remembered(size: int) -> None:
    print(f"\nA class of {size} with the evidence of each exemplar measured once, {_WORKERS} at once")
    with tempfile.TemporaryDirectory() as folder:
        kinds = lay_out(Path(folder) / "class", size)
        with History(Path(folder) / "attempts.sqlite3") as history:
            began = time.perf_counter()
            run, memory = asyncio.run(judge_remembered(Path(folder) / "class", history, kinds))
            seconds = time.perf_counter() - began
            began = time.perf_counter()
            make_report(run, history)
            report_seconds = time.perf_counter() - began
    judged = sum(row.outcome is RowOutcome.JUDGED for row in run.rows.values())
    print(f"  {len(run.rows)} rows, {judged} judged in {seconds:.0f} s; report {report_seconds:.1f} s")
    print(f"  memory of the judging process at each tenth, MB: {' '.join(f'{mb:.0f}' for mb in memory)}")


def _on_a_cluster(size: int) -> None:
    print(f"\nA class of {size} on a cluster of {_WORKERS} local workers, one killed after {size // 2}")
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "attempts.sqlite3"
        kinds = lay_out(Path(folder) / "class", size)
        with History(database) as history:
            began = time.perf_counter()
            run, memory, started = asyncio.run(judge_on_cluster(Path(folder) / "class", history, size))
            seconds = time.perf_counter() - began
            began = time.perf_counter()
            make_report(run, history)
            report_seconds = time.perf_counter() - began
        with sqlite3.connect(database) as connection:
            (attempts,) = connection.execute("SELECT count(*) FROM attempts").fetchone()
        judged = sum(row.outcome is RowOutcome.JUDGED for row in run.rows.values())
        mixed = {kind: found for kind, found in _scores(run.rows, kinds).items() if len(found) > 1}
        twice = sum(times > 1 for times in started.values())
        print(f"  {len(run.rows)} rows, {judged} judged, {attempts} attempts stored, {twice} begun twice")
        print(f"  {seconds:.0f} s, {judged / seconds:.2f}/s; report {report_seconds:.1f} s")
        print(f"  memory of the judging process at each tenth, MB: {' '.join(f'{mb:.0f}' for mb in memory)}")
        print(f"  exemplars whose copies differ in score: {mixed or 'none'}")
