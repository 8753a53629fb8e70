"""The command line."""

import argparse
import sys
from pathlib import Path

from crucible.aggregation import SumAggregator
from crucible.errors import CrucibleError
from crucible.pipeline import Pipeline
from crucible.settings import SettingsLoader
from crucible.sinks import JsonSink
from crucible.sources import CsvSource


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="data_crucible", description="Group the rows of a CSV and add up one column.")
    for name in ("input", "config", "output"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        settings = SettingsLoader().load(options.config)
        Pipeline(CsvSource(options.input, settings), SumAggregator(), JsonSink(options.output, settings)).run()
    except CrucibleError as error:
        print(f"data_crucible: {error}", file=sys.stderr)
        return 1
    return 0
