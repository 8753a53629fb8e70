"""Let a log of any length pass, and tell what was in it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from belly import Belly
from scales import read_scale


def natural(text: str) -> int:
    """A whole number of 0 or more."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return number


def flow(files: list[Path]) -> Iterator[bytes]:
    """The lines of all files, or of standard input, without ends and without blank ones."""
    for path in files or [Path("/dev/stdin")]:
        with path.open("rb") if files else sys.stdin.buffer as stream:
            for line in stream:
                bare = line.removesuffix(b"\n").removesuffix(b"\r")
                if bare.strip(b" "):
                    yield bare


def tell(summary: dict[str, object], output: Path | None) -> None:
    """Print the summary, or write it to a file."""
    text = json.dumps(summary, indent=2)
    if output is None:
        sys.stdout.write(text + "\n")
    else:
        output.write_text(text + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Run once and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--top", type=natural, default=5, metavar="N")
    parser.add_argument("--output", type=Path, metavar="PATH")
    options = parser.parse_intermixed_args(arguments)
    try:
        belly = Belly(options.top).swallow(map(read_scale, flow(options.files)))
        tell(belly.as_dict(), options.output)
    except OSError as error:
        sys.stderr.write(f"log_leviathan: {error.filename}: {error.strerror}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
