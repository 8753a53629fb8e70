"""Source, aggregator, sink."""

from dataclasses import dataclass

from crucible.protocols import Aggregator, ResultSink, RowSource


@dataclass(frozen=True)
class Pipeline:
    source: RowSource
    aggregator: Aggregator
    sink: ResultSink

    def run(self) -> None:
        self.sink.write(self.aggregator.aggregate(self.source.samples()))
