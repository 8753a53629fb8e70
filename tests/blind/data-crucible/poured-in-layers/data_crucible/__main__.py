"""python data_crucible --input CSV --config JSON --output JSON"""

import argparse
import json
import os
import sys
from pathlib import Path

# Started as a folder, Python knows the files in it, but not the package they make.
if not __package__:
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    __package__ = "data_crucible"

from data_crucible.melt import melt  # noqa: E402
from data_crucible.ore import pairs  # noqa: E402
from data_crucible.slip import Refused, slip_from  # noqa: E402


def pour(table, config, output):
    slip = slip_from(config.read_text("utf-8"), config.name)
    with table.open(encoding="utf-8", newline="") as lines:
        bars = melt(pairs(lines, slip, table.name), slip.columns)
    cast(json.dumps(bars, ensure_ascii=False, indent=1), output)


def cast(text, output):
    """Put the text in its place, as a whole."""
    draft = output.with_name(output.name + ".draft")
    draft.write_text(text, "utf-8")
    draft.replace(output)


def main(argv=None):
    parser = argparse.ArgumentParser(prog="data_crucible")
    for option in ("--input", "--config", "--output"):
        parser.add_argument(option, type=Path, required=True)
    options = parser.parse_args(argv)
    try:
        pour(options.input, options.config, options.output)
    except Refused as refusal:
        print("refused:", refusal, file=sys.stderr)
        return 1
    except FileNotFoundError as error:
        print("refused: there is no file", error.filename, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
