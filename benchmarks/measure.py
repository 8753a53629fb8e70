"""How things are measured: interleaved, so that whatever else the machine does hits all alike; medians and ratios."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


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


def race(contenders: Sequence[Contender], rounds: int) -> list[Timing]:
    """Run each contender once a round; the first round only warms caches and is thrown away."""
    taken: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    for number in range(rounds + 1):
        for contender in contenders:
            began = time.perf_counter()
            own = contender.run()
            seconds = time.perf_counter() - began if own is None else own
            if number:
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
