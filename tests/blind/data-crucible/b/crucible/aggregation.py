"""The pot."""

from collections.abc import Iterable
from decimal import Decimal

from crucible.errors import TableError
from crucible.protocols import Sample, Total


class SumAggregator:
    """Gathers samples by group; totals come out sorted by group."""

    def aggregate(self, samples: Iterable[Sample]) -> list[Total]:
        pots: dict[tuple[str, ...], list[Decimal]] = {}
        for sample in samples:
            pots.setdefault(sample.group, []).append(sample.value)
        if not pots:
            raise TableError("the CSV has no rows")
        return [Total(group, sum(values, Decimal()), len(values)) for group, values in sorted(pots.items())]
