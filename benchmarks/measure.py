"""How things are measured: interleaved, so that whatever else the machine does hits all alike; medians and ratios."""

import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

_Size = TypeVar("_Size")


@dataclass(frozen=True)
class Options:
    """How a benchmark is run.

    Attributes:
        rounds: How often everything is measured.
        warm_ups: Rounds before these that only warm caches; their times are thrown away.
        is_smallest: Whether as little is measured as shows that the benchmark works. Such figures mean nothing.
        is_written: Whether a table that a document holds is written there.
    """

    rounds: int = 20
    warm_ups: int = 1
    is_smallest: bool = False
    is_written: bool = False

    def size(self, usual: _Size, smallest: _Size) -> _Size:
        """How much to measure."""
        return smallest if self.is_smallest else usual

    def at_most(self, rounds: int) -> "Options":
        """The same with fewer rounds, for what takes long."""
        return replace(self, rounds=min(self.rounds, rounds))


@dataclass(frozen=True)
class Contender:
    """Something to time: ``run`` does it once and may return its own seconds."""

    name: str
    run: Callable[[], float | None]


@dataclass(frozen=True)
class Timing:
    """Seconds of one contender over all rounds."""

    name: str
    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median, in seconds."""
        return statistics.median(self.seconds)


def run_program(command: Sequence[str], folder: Path, variables: Mapping[str, str]) -> None:
    """Run a program to its end.

    Raises:
        RuntimeError: It failed; the message is what it printed.
    """
    ended = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(f"{' '.join(command)[:200]}\n{ended.stdout}{ended.stderr}")


def race(contenders: Sequence[Contender], options: Options) -> list[Timing]:
    """Run each contender once a round."""
    taken: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    for number in range(options.warm_ups + options.rounds):
        for contender in contenders:
            began = time.perf_counter()
            own = contender.run()
            seconds = time.perf_counter() - began if own is None else own
            if number >= options.warm_ups:
                taken[contender.name].append(seconds)
    return [Timing(name, tuple(seconds)) for name, seconds in taken.items()]


def table(title: str, timings: Sequence[Timing], unit: float = 1000, unit_name: str = "ms") -> None:
    """Print timings beside the first one."""
    base = timings[0].median
    print(f"\n{title}")
    print(f"  {'':<52} {'median':>9} {'min':>9} {'max':>9}   ratio")
    for timing in timings:
        low, high = min(timing.seconds), max(timing.seconds)
        cells = "".join(f"{value * unit:9.1f} " for value in (timing.median, low, high))
        print(f"  {timing.name:<52} {cells} {timing.median / base:6.2f}")
    print(f"  ({len(timings[0].seconds)} rounds, {unit_name}; ratio to the first line)")
