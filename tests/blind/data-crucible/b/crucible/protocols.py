"""The stages, as the pipeline sees them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Sample:
    """What a row gives to the pot."""

    group: tuple[str, ...]
    value: Decimal


@dataclass(frozen=True, slots=True)
class Total:
    """What came out for a group."""

    group: tuple[str, ...]
    sum: Decimal
    count: int

    @property
    def avg(self) -> Decimal:
        return self.sum / self.count


class RowSource(Protocol):
    def samples(self) -> Iterator[Sample]: ...


class Aggregator(Protocol):
    def aggregate(self, samples: Iterable[Sample]) -> list[Total]: ...


class ResultSink(Protocol):
    def write(self, totals: list[Total]) -> None: ...
