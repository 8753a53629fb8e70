"""The rim: options, files, exit status."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from data_crucible.melt import melt
from data_crucible.ore import Lump, pick
from data_crucible.slip import BadInputError, Slip, check_slip

OPTIONS = ("--input", "--config", "--output")


def read_options(words: Sequence[str]) -> dict[str, Path]:
    """The path that stands behind each option.

    Raises:
        BadInputError: They are not the three options with a path each.
    """
    paths = {name: Path(path) for name, path in zip(words[::2], words[1::2], strict=False)}
    if len(words) != 2 * len(OPTIONS) or set(paths) != set(OPTIONS):
        raise BadInputError(f"{', '.join(OPTIONS)} are needed, each with a path")
    return paths


def load_slip(path: Path) -> Slip:
    """Read the config.

    Raises:
        BadInputError: It can't be read, or it won't do.
    """
    try:
        document = json.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise BadInputError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise BadInputError(f"{path} is not valid JSON: {error}") from error
    return check_slip(document)


def load_ore(path: Path, slip: Slip) -> list[Lump]:
    """Read the CSV.

    Raises:
        BadInputError: It can't be read, or there is nothing in it to pour.
    """
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            lumps = list(pick(lines, slip))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadInputError(f"{path}: {error}") from error
    if not lumps:
        raise BadInputError(f"{path} has no rows")
    return lumps


def main(words: Sequence[str]) -> int:
    """Run once; the result is the exit status."""
    try:
        paths = read_options(words)
        slip = load_slip(paths["--config"])
        bars = melt(load_ore(paths["--input"], slip), slip.group_by)
        with paths["--output"].open("w", encoding="utf-8") as file:
            json.dump(bars, file)
    except (BadInputError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0
