"""The price of a run, step by step from a bare fork to the cage, and where a fight's processor time goes.

Processor time is read from the kernel's clocks of processes, so nothing here needs ``perf``. Linux only.
"""

import asyncio
import json
import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.fights import FLAWLESS, ROOT, one
from benchmarks.measure import Options
from evalforge.evidence.engine import WORKER_CODE
from evalforge.fight import Forge
from evalforge.model.submission import Submission
from evalforge.packs.pack import BossPack, load_pack
from evalforge.sandbox.client import HOST_FOLDER, Host
from evalforge.sandbox.host_process import HOST_ENVIRONMENT
from evalforge.sandbox.program import Call, Program
from evalforge.sandbox.report import RunLimits
from evalforge.sandbox.staging import StagedSubmission

_PROGRAM = "import json\nimport sys\nprint(json.dumps(sys.argv[1:]))\n"
_CALL = Call(args=("a",), files={"data.txt": b"words\n"})
"""With its file, a run's folder has five entries: itself, two folders, and the files ``stdin`` and ``data.txt``."""
_MOST_FIGHTS = 3
_LAYERS = {
    "none": "limits alone",
    "basic": "no new privileges, dies with its parent",
    "standard": "Landlock, filter of system calls, no capabilities",
    "full": "namespaces, a file tree of its own",
}
"""Each layer of the cage, with what it adds to the one before it."""

_FORKER = """
import gc, json, os, resource, sys, time

host_folder, script, folder = sys.argv[1:]
sys.path.insert(0, host_folder)
from runs import preload
preload.hold_fork_hooks()
from cage import layers
from runs import server
preload.load_and_use_modules()
preload.release_fork_hooks()
run = os.path.join(folder, "run")
folders = [run, os.path.join(run, "work"), os.path.join(run, "tmp")]
files = [os.path.join(run, "stdin"), os.path.join(run, "work", "data.txt")]


def fork_alone():
    pid = os.fork()
    if not pid:
        os._exit(0)
    return os.wait4(pid, 0)[2]


def run_program():
    end, write_end = os.pipe()
    pid = os.fork()
    if not pid:
        os.dup2(write_end, 1)
        sys.argv = [script, "a"]
        with open(script, "rb") as file:
            code = compile(file.read(), script, "exec")
        exec(code, {"__name__": "__main__", "__file__": script})
        sys.stdout.flush()
        os._exit(0)
    os.close(write_end)
    written = b""
    while data := os.read(end, 65536):
        written += data
    os.close(end)
    _, status, usage = os.wait4(pid, 0)
    assert (status, written) == (0, b'["a"]\\n'), (status, written)
    return usage


def run_program_in_folder():
    for path in folders:
        os.mkdir(path, 0o700)
    for path in files:
        with open(path, "wb") as file:
            file.write(b"words\\n")
    usage = run_program()
    for path in files:
        os.remove(path)
    for path in reversed(folders):
        os.rmdir(path)
    return usage


def faults():
    return sum(resource.getrusage(who).ru_minflt for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


gc.collect()
gc.freeze()
for line in sys.stdin:
    name, count = line.split()
    rung, child_seconds = globals()[name], 0.0
    faults_before, wall, own = faults(), time.perf_counter(), time.process_time()
    for _ in range(int(count)):
        usage = rung()
        child_seconds += usage.ru_utime + usage.ru_stime
    own, wall = time.process_time() - own, time.perf_counter() - wall
    print(json.dumps([wall, child_seconds, own, 0.0, faults() - faults_before]), flush=True)
"""
"""Forks from an interpreter like a host's, as often as each line of its input says, and prints what that took."""


class Price(NamedTuple):
    """What one run takes, in seconds of wall clock and of processor, and in minor page faults.

    Attributes:
        wall: Until its result is there.
        child: Processor of the forked child, and of all that it waited for.
        parent: Processor of the process that forks.
        client: Processor of the process that asks for the run.
        faults: Page faults of all of these.
    """

    wall: float
    child: float
    parent: float
    client: float
    faults: float

    @property
    def processor(self) -> float:
        """Seconds of processor of all processes."""
        return self.child + self.parent + self.client


class Rung(NamedTuple):
    """A step of the ladder; ``run`` does it so many times, and returns the price of all of them together."""

    name: str
    run: Callable[[int], Price]


class _Forker:
    """The interpreter that forks without a cage; it is started as hosts are."""

    def __init__(self, script: Path, folder: Path) -> None:
        command = [sys.executable, "-s", "-S", "-B", "-c", _FORKER, str(HOST_FOLDER), str(script), str(folder)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=HOST_ENVIRONMENT, cwd="/", text=True
        )

    def run(self, function: str, count: int) -> Price:
        """Call one of its functions so many times."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{function} {count}\n")
        self._process.stdin.flush()
        return Price(*json.loads(self._process.stdout.readline()))

    def end(self) -> None:
        """End it."""
        self._process.communicate()


class _LayeredHost(Host):
    """A host whose runs are in the layer that it was started for; in a fight, those of trials are at most standard."""

    def _request(
        self, mode: str, staged: StagedSubmission, entry: Mapping[str, object], call: Call, limits: RunLimits
    ) -> dict[str, Any]:
        return {**super()._request(mode, staged, entry, call, limits), "layer": self.layer}

    def run_often(self, staged: StagedSubmission, count: int) -> Price:
        """Run the program so many times, as a trial does."""
        seconds_before, faults_before = _processor_seconds(self.pid), self._faults()
        wall, client, child = time.perf_counter(), time.process_time(), 0.0
        for _ in range(count):
            report = self.run(staged, Program("script", "main.py"), _CALL)
            assert (report.exit_code, report.stdout) == (0, '["a"]\n'), report
            child += report.cpu_seconds
        client, wall = time.process_time() - client, time.perf_counter() - wall
        host = _processor_seconds(self.pid) - seconds_before
        return Price(wall, child, host, client, self._faults() - faults_before)

    def _faults(self) -> int:
        """Page faults so far of the host, its children that have ended, and this process."""
        own, waited_for = _stat_fields(self.pid)[6:8]
        return own + waited_for + resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def main(options: Options) -> None:
    """Print the ladder, the price of each layer, and where the processor time of fights goes."""
    prices = measure_ladder(options)
    _print_ladder(prices)
    _print_layers(prices)
    with asyncio.Runner() as runner:
        forge = Forge()
        runner.run(forge.warm())
        for boss in options.size(("training-dummy", "log-leviathan"), ("training-dummy",)):
            _measure_fight(runner, forge, load_pack(ROOT / "bosses" / boss), options.at_most(_MOST_FIGHTS))
        runner.run(forge.engine.close())


def measure_ladder(options: Options) -> dict[str, Price]:
    """The price of one run of each rung, as the median over the rounds, by its name."""
    count = options.size(20, 5)
    rounds: dict[str, list[Price]] = {}
    with _rungs() as rungs:
        for number in range(options.warm_ups + options.rounds):
            for rung in rungs:
                price = Price(*(amount / count for amount in rung.run(count)))
                if number >= options.warm_ups:
                    rounds.setdefault(rung.name, []).append(price)
    print(f"\nA run of a program of three lines ({options.rounds} rounds of {count} runs, in turns; medians)")
    return {name: _median(prices) for name, prices in rounds.items()}


_WITHOUT_CAGE = {
    "fork, exit, wait": "fork_alone",
    "the program in the fork, behind a pipe": "run_program",
    "and five entries of a folder": "run_program_in_folder",
}
_FORKED_PROGRAM = "the program in the fork, behind a pipe"
"""The rung that all others are compared with."""


@contextmanager
def _rungs() -> Generator[list[Rung]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "main.py").write_text(_PROGRAM)
        staged = stack.enter_context(StagedSubmission(Submission.of({"main.py": _PROGRAM})))
        forker = _Forker(folder / "main.py", folder)
        stack.callback(forker.end)
        rungs = [Rung(name, partial(forker.run, function)) for name, function in _WITHOUT_CAGE.items()]
        for layer in _LAYERS:
            host = _LayeredHost(layer=layer)
            stack.callback(host.shut_down)
            if layer != "full" or host.probe["layer"] == "full":
                rungs.append(Rung(layer, partial(host.run_often, staged)))
        yield rungs


def _median(prices: Sequence[Price]) -> Price:
    return Price(*map(statistics.median, zip(*prices, strict=True)))


def _print_ladder(prices: Mapping[str, Price]) -> None:
    base = prices[_FORKED_PROGRAM]
    print(f"  {'':<43} {'child':>7} {'parent':>7} {'client':>7} {'all':>7} {'ratio':>6} {'wall':>7} {'faults':>7}")
    for name, price in prices.items():
        title = f"a run by a host, layer {name}" if name in _LAYERS else name
        parts = (price.child, price.parent, price.client, price.processor)
        cells = " ".join(f"{seconds * 1000:7.2f}" for seconds in parts)
        ratio = price.processor / base.processor
        print(f"  {title:<43} {cells} {ratio:6.2f} {price.wall * 1000:7.2f} {price.faults:7.0f}")
    print(f"  (ms of processor, and of wall clock; the ratio is of processor, to: {_FORKED_PROGRAM})")


def _print_layers(prices: Mapping[str, Price]) -> None:
    """What each layer adds to the one before it."""
    print("\nWhat each layer of the cage adds to the one before it, and in which process")
    print(f"  {'':<60} {'child':>7} {'parent':>7} {'wall':>7} {'faults':>7}")
    before, *others = [(name, price) for name, price in prices.items() if name in _LAYERS]
    for name, price in others:
        added = Price(*(mine - theirs for mine, theirs in zip(price, before[1], strict=True)))
        cells = " ".join(f"{seconds * 1000:+7.2f}" for seconds in (added.child, added.parent, added.wall))
        print(f"  {f'{name}: {_LAYERS[name]}':<60} {cells} {added.faults:+7.0f}")
        before = name, price
    print("  (ms of processor, and of wall clock)")


# Where the processor time of a fight goes.

_GAME, _WORKER, _WORKER_CHILDREN = "game", "trial worker", "children of the worker"
_TRIAL_HOST, _TRIAL_RUNS = "host of the trials", "runs of the trials"
_TEST_HOSTS, _TEST_RUNS = "hosts of the tests", "runs of the tests"
_PARTS = (_GAME, _WORKER, _WORKER_CHILDREN, _TRIAL_HOST, _TRIAL_RUNS, _TEST_HOSTS, _TEST_RUNS)
_BELOW = {_WORKER: _WORKER_CHILDREN, _TRIAL_HOST: _TRIAL_RUNS, _TEST_HOSTS: _TEST_RUNS}
_LOOK_PAUSE_SECONDS = 0.001
_ARGUMENTS_OF_TRIAL_HOST = 7  # the interpreter, three flags, the folder, a descriptor, a directory: tests have more
Amounts = dict[str, float]
"""An amount for each part of a fight."""


@dataclass
class FightWatch:
    """Watches a worker and its hosts: their processor time, and the processes below them.

    Attributes:
        worker: The trial worker's process id.
        first: Seconds of processor of each long-lived process when the watch began: its own, and of what it waited for.
        last: The same at the last look.
        long_lived: The part of each of these.
        seen: The part of each process that was seen below them.
        alive: Those of the long-lived that were alive at the last look.
    """

    worker: int
    first: dict[int, tuple[float, float]] = field(default_factory=dict[int, tuple[float, float]])
    last: dict[int, tuple[float, float]] = field(default_factory=dict[int, tuple[float, float]])
    long_lived: dict[int, str] = field(default_factory=dict[int, str])
    seen: dict[int, str] = field(default_factory=dict[int, str])
    alive: frozenset[int] = frozenset()

    def begin(self) -> None:
        """Look for the first time."""
        self.look()
        self.first = dict(self.last)
        self.seen.clear()

    def look(self) -> None:
        """Note who lives, and what the long-lived took so far."""
        hosts = {pid: part for pid in _children(self.worker) if (part := _host_part(pid))}
        self.alive = frozenset([self.worker, *hosts])
        for pid, part in {self.worker: _WORKER, **hosts}.items():
            try:
                self.last[pid] = _used_seconds(pid)
            except OSError:  # it ended just now
                continue
            self.long_lived[pid] = part
            for child in _descendants(pid, set(hosts)):
                self.seen[child] = _BELOW[part]

    def seconds(self) -> Amounts:
        """Seconds of processor by part, since the watch began."""
        taken: defaultdict[str, float] = defaultdict(float)
        for pid, part in self.long_lived.items():
            first = self.first.get(pid, (0.0, 0.0))
            taken[part] += self.last[pid][0] - first[0]
            taken[_BELOW[part]] += self.last[pid][1] - first[1]
            if pid not in self.alive:  # the worker has waited for it, with all that it waited for
                taken[_WORKER_CHILDREN] -= sum(self.last[pid])
        return dict(taken)

    def processes(self) -> Amounts:
        """The number of processes by part: the long-lived ones, and those that were seen since the watch began."""
        # A host is a fork of the worker's, until it executes its interpreter.
        parts = {**self.seen, **self.long_lived}
        return {part: float(count) for part, count in Counter(parts.values()).items()}


def _watch(worker: int, connection: Connection) -> None:
    """Watch until a message comes; in a process of its own, so that its time counts to no part."""
    watch = FightWatch(worker)
    watch.begin()
    connection.send("ready")
    while not connection.poll(_LOOK_PAUSE_SECONDS):
        watch.look()
    watch.look()
    connection.send((watch.seconds(), watch.processes()))


def _measure_fight(runner: asyncio.Runner, forge: Forge, pack: BossPack, options: Options) -> None:
    exemplar = pack.path / FLAWLESS
    rounds = [_watched_fight(runner, forge, pack, exemplar) for _ in range(options.rounds)]
    seconds = {part: statistics.median(taken.get(part, 0.0) for taken, _, _ in rounds) for part in _PARTS}
    processes = {part: statistics.median(counted.get(part, 0.0) for _, counted, _ in rounds) for part in _PARTS}
    wall = statistics.median(wall for _, _, wall in rounds)
    total = sum(seconds.values())
    print(f"\nA fight with {pack.definition.title}, {exemplar.name} exemplar, warm: {wall:.1f} s, processor by part")
    print(f"  {'':<26} {'seconds':>8} {'share':>7} {'processes':>10}")
    for part in _PARTS:
        print(f"  {part:<26} {seconds[part]:8.2f} {seconds[part] / total:7.1%} {processes[part]:10.0f}")
    print(f"  {'all':<26} {total:8.2f} {1:7.0%} {sum(processes.values()):10.0f}")
    print(f"  (rounds: {len(rounds)}; medians; processes that live for less than a few ms may be missed)")


def _watched_fight(
    runner: asyncio.Runner, forge: Forge, pack: BossPack, exemplar: Path
) -> tuple[Amounts, Amounts, float]:
    """Seconds of processor by part, processes by part, and seconds of wall clock, until all is warm again."""
    worker = next(pid for pid in _children(os.getpid()) if os.fsencode(WORKER_CODE) in _arguments(pid))
    ours, theirs = multiprocessing.Pipe()
    watcher = multiprocessing.Process(target=_watch, args=(worker, theirs), daemon=True)
    watcher.start()
    try:
        ours.recv()
        wall, game = time.perf_counter(), time.process_time()
        runner.run(one(forge, pack, exemplar))
        runner.run(forge.engine.wait_until_warm())
        wall, game = time.perf_counter() - wall, time.process_time() - game
        ours.send("stop")
        seconds, processes = ours.recv()
    finally:
        watcher.kill()
        watcher.join()
    return {**seconds, _GAME: game}, {**processes, _GAME: 1}, wall


def _processor_seconds(pid: int) -> float:
    """Seconds of processor of a living process and its threads, from the kernel's clock of that process."""
    return time.clock_gettime(~pid << 3 | 2)  # as clock_getcpuclockid(3) makes it, which Python lacks


def _stat_fields(pid: int) -> list[int]:
    """The numbers of ``/proc/PID/stat`` from the parent's process id on."""
    return [int(value) for value in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1:]]


def _used_seconds(pid: int) -> tuple[float, float]:
    """Seconds of processor of a process, and of the children that it waited for with all that those waited for."""
    own_user, own_system, user, system = _stat_fields(pid)[10:14]
    tick = os.sysconf("SC_CLK_TCK")
    return (own_user + own_system) / tick, (user + system) / tick


def _arguments(pid: int) -> list[bytes]:
    """The command that a process executes; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    except OSError:
        return []


def _host_part(pid: int) -> str:
    """The part that a child of the worker is, if it is a host; else empty."""
    arguments = _arguments(pid)
    if os.fsencode(HOST_FOLDER) not in arguments:
        return ""
    return _TRIAL_HOST if len(arguments) == _ARGUMENTS_OF_TRIAL_HOST else _TEST_HOSTS


def _children(pid: int) -> list[int]:
    """The children of a process, by whichever of its threads they were started."""
    children: list[int] = []
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            children += map(int, (thread / "children").read_text().split())
    except OSError:  # it has ended, or this thread has
        pass
    return children


def _descendants(pid: int, leave_out: Iterable[int]) -> list[int]:
    """All below a process, without some of its children."""
    below = [child for child in _children(pid) if child not in leave_out]
    for child in below:
        below += _children(child)
    return below
