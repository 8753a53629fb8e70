"""Wiring: a source feeds a parser, the parser feeds collectors, their reports go to a sink."""

from collections.abc import Sequence
from dataclasses import dataclass

from leviathan.collectors import ComponentCollector, LevelCollector, LineCollector, PeriodCollector, RequestCollector
from leviathan.ports import Collector, Parser, Sink, Source


def default_collectors(top: int) -> list[Collector]:
    return [LineCollector(), PeriodCollector(), LevelCollector(), ComponentCollector(), RequestCollector(top)]


@dataclass
class Application:
    source: Source
    parser: Parser
    collectors: Sequence[Collector]
    sink: Sink

    def run(self) -> None:
        for line in self.source.lines():
            line = line.removesuffix(b"\n").removesuffix(b"\r")
            if line.strip(b" "):
                entry = self.parser.parse(line)
                for collector in self.collectors:
                    collector.collect(entry)
        summary = {}
        for collector in self.collectors:
            summary.update(collector.report())
        self.sink.write(summary)
