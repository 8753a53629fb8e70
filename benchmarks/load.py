"""The same hand-ins on a busy machine: which levels differ from those of an idle one, and what ends ungraded.

Levels are counted, not seconds: how busy a machine is may decide when a fight ends, never how.
"""

import asyncio
import contextlib
import multiprocessing
import os
import time
from collections.abc import Generator, Iterator
from contextlib import aclosing
from pathlib import Path

from benchmarks.fights import ROOT
from benchmarks.measure import Options
from evalforge.fight import FightOptions, Forge
from evalforge.model.events import CriterionJudged, Event, Ungraded
from evalforge.packs.pack import load_pack

FLAWLESS = ("furnace-controller", "training-dummy", "forge-titan", "turnstile-tyrant", "ledger-lich", "syntax-sphinx")
MIDDLING = ("furnace-controller", "cache-wraith", "flaky-oracle", "schedule-hydra", "torn-page", "ledger-lich")
CORE_SHARES = (1.0, 0.25, 0.12, 0.06)
NEIGHBOURS = (4, 16)
WORKERS = (2, 8)
_GROUPS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/cpu"))
_PERIOD_MICROSECONDS = 100_000
Levels = dict[str, str]


def hand_ins(options: Options) -> Iterator[tuple[str, Path]]:
    """Bosses, each with a directory to judge."""
    if options.is_smallest:
        yield "training-dummy", ROOT / "bosses/training-dummy/exemplars/first-win"
        return
    for grade, bosses in (("flawless", FLAWLESS), ("borderline", MIDDLING)):
        for boss in bosses:
            yield boss, ROOT / "bosses" / boss / "exemplars" / grade
    for boss in sorted({*FLAWLESS, *MIDDLING}):
        yield boss, ROOT / "tests/blind" / boss / "a"


async def levels_of(forge: Forge, boss: str, directory: Path) -> Levels:
    """The score of each criterion, or why there is none."""
    levels: Levels = {}
    stream = forge.fight(load_pack(ROOT / "bosses" / boss), directory, FightOptions(save=False, again=True))
    async with aclosing(stream) as events:
        async for event in events:
            _note(event, levels)
    return levels


def _note(event: Event, levels: Levels) -> None:
    if isinstance(event, CriterionJudged):
        levels[event.judgement.criterion_id] = str(event.judgement.score)
    elif isinstance(event, Ungraded):
        levels["ungraded"] = event.reason


async def judge_all(options: Options, workers: int = 1) -> dict[str, Levels]:
    """The levels of all hand-ins, several at a time."""
    queue = list(hand_ins(options))
    found: dict[str, Levels] = {}

    async def work() -> None:
        async with Forge(trial_key="load") as forge:
            while queue:
                boss, directory = queue.pop()
                found[f"{boss} {directory.name}"] = await levels_of(forge, boss, directory)

    await asyncio.gather(*(work() for _ in range(workers)))
    return found


@contextlib.contextmanager
def share_of_a_core(share: float) -> Generator[bool]:
    """Give this process and what it starts a share of one core; False where control groups can't be made."""
    group = next((base / "evalforge-load" for base in _GROUPS if _can_limit(base)), None)
    if group is None:
        yield False
        return
    quota = int(share * _PERIOD_MICROSECONDS)
    group.mkdir(exist_ok=True)
    if (group / "cpu.max").exists():
        (group / "cpu.max").write_text(f"{quota} {_PERIOD_MICROSECONDS}")
    else:
        (group / "cpu.cfs_period_us").write_text(str(_PERIOD_MICROSECONDS))
        (group / "cpu.cfs_quota_us").write_text(str(quota))
    (group / "cgroup.procs").write_text(str(os.getpid()))
    try:
        yield True
    finally:
        (group.parent / "cgroup.procs").write_text(str(os.getpid()))


def _can_limit(base: Path) -> bool:
    """Whether a group below this folder could be given a share of a processor."""
    if not os.access(base, os.W_OK):
        return False
    controllers = base / "cgroup.subtree_control"
    return (base / "cpu.cfs_quota_us").exists() or (controllers.exists() and "cpu" in controllers.read_text())


@contextlib.contextmanager
def neighbours(count: int) -> Generator[None]:
    """Processes that do nothing but keep the machine busy."""
    processes = [multiprocessing.Process(target=_burn, daemon=True) for _ in range(count)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def _burn() -> None:
    while True:
        pass


def _row(name: str, idle: dict[str, Levels], found: dict[str, Levels], seconds: float) -> None:
    ungraded = {key: levels["ungraded"] for key, levels in found.items() if "ungraded" in levels}
    graded = {key: levels for key, levels in found.items() if key not in ungraded}
    different = [
        f"{key}: {criterion} {idle[key].get(criterion)} -> {score}"
        for key, levels in graded.items()
        for criterion, score in levels.items()
        if idle[key].get(criterion) != score
    ]
    count = sum(len(levels) for levels in graded.values())
    print(f"  {name:<24} {len(different):3} of {count:3} levels differ, {len(ungraded):2} ungraded, {seconds:6.0f} s")
    for line in (*different, *(f"{key}: {reason}" for key, reason in ungraded.items())):
        print(f"      {line}")


def main(options: Options) -> None:
    """Print the table; one round."""
    print("\nLevels on a busy machine, beside those of the same hand-ins on an idle one")
    began = time.perf_counter()
    idle = asyncio.run(judge_all(options))
    seconds = time.perf_counter() - began
    print(f"  {'idle':<24} {sum(map(len, idle.values())):3} levels of {len(idle)} hand-ins, {seconds:.0f} s")
    for share in options.size(CORE_SHARES, ()):
        with share_of_a_core(share) as is_limited:
            if is_limited:
                _timed_row(f"{share:.0%} of a core", idle, options)
    for count in options.size(NEIGHBOURS, (1,)):
        with neighbours(count):
            _timed_row(f"beside {count} busy processes", idle, options)
    for workers in options.size(WORKERS, ()):
        _timed_row(f"{workers} at a time", idle, options, workers)


def _timed_row(name: str, idle: dict[str, Levels], options: Options, workers: int = 1) -> None:
    began = time.perf_counter()
    found = asyncio.run(judge_all(options, workers))
    _row(name, idle, found, time.perf_counter() - began)
