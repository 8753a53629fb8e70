"""A class of submissions on two workers: submissions a second, a second and core, and the memory it takes."""

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fights import PACK
from benchmarks.measure import Options
from benchmarks.memory import tree
from evalforge.classroom.class_row import RowOutcome
from evalforge.classroom.class_run import ClassOptions, ClassRun
from evalforge.classroom.report import make_report
from evalforge.history.store import History
from evalforge.packs.pack import BossPack, load_pack

_WORKERS = 2
_KINDS: tuple[tuple[str, Callable[[Path], bool]], ...] = (
    ("with player tests and mutation", lambda path: True),
    ("without player tests", lambda path: "test" not in path.name),
)
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Figures:
    """What one run took: seconds, and the most memory of this process and of all it started, in MB."""

    seconds: float = 0.0
    own: float = 0.0
    with_children: float = 0.0


def lay_out(folder: Path, boss: Path, size: int, keep: Callable[[Path], bool] = lambda path: True) -> list[Path]:
    """A class of folders, in turn copies of the boss's exemplars, each with a comment of its own."""
    exemplars = [path for path in sorted((boss / "exemplars").iterdir()) if path.is_dir()]
    made: list[Path] = []
    for number in range(size):
        target = folder / f"student-{number:03}"
        shutil.copytree(exemplars[number % len(exemplars)], target, ignore=shutil.ignore_patterns("__pycache__"))
        for path in [*target.rglob("*.py"), *target.rglob("*.yaml")]:
            if not keep(path) or path.name == "gold.yaml":
                path.unlink()
        (target / "who.md").write_text(f"student {number}\n")
        made.append(target)
    return made


def resident_mb() -> tuple[float, float]:
    """Memory of this process, and with all its descendants (shared pages counted in each), in MB."""
    sizes = {pid: _pages(pid) * _PAGE / 1e6 for pid in tree(os.getpid())}
    return sizes[os.getpid()], sum(sizes.values())


def _pages(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0


async def judge_all(pack: BossPack, place: Path, history: History) -> tuple[ClassRun, Figures]:
    """Judge a class, with each result stored."""
    run = ClassRun(pack, place, history, ClassOptions(workers=_WORKERS))
    figures = Figures()
    began = time.perf_counter()
    async with aclosing(run.events()) as events:
        async for event in events:
            if event.kind == "row_settled" and event.done % 5 == 0:
                own, family = resident_mb()
                figures.own, figures.with_children = max(figures.own, own), max(figures.with_children, family)
    figures.seconds = time.perf_counter() - began
    return run, figures


def main(options: Options) -> None:
    """Print the figures; one round, however many are asked for."""
    size = options.size(100, 2)
    print(f"\nA class of {size} on {_WORKERS} workers ({os.cpu_count()} cores), every result stored")
    for boss in options.size(("training-dummy", PACK.name), ("training-dummy",)):
        pack = load_pack(PACK.parent / boss)
        for name, keep in _KINDS[: options.size(None, 1)]:
            with tempfile.TemporaryDirectory() as folder:
                lay_out(Path(folder) / "class", PACK.parent / boss, size, keep)
                with History(Path(folder) / "attempts.sqlite3") as history:
                    run, took = asyncio.run(judge_all(pack, Path(folder) / "class", history))
                    judged = sum(row.outcome is RowOutcome.JUDGED for row in run.rows.values())
                    _, again = asyncio.run(judge_all(pack, Path(folder) / "class", history))
                    began = time.perf_counter()
                    make_report(run, history)
                    report = time.perf_counter() - began
            rate = judged / took.seconds
            print(
                f"  {boss:<20} {name:<32} {took.seconds:6.1f} s  {rate:5.1f}/s  {rate / _WORKERS:5.1f}/s and core"
                f"  {took.own:4.0f} MB, {took.with_children:4.0f} MB with workers"
                f"  again {again.seconds:4.1f} s  report {report:4.1f} s"
            )
