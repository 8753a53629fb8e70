"""Settings, from the command line."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

DEFAULT_TOLERANCE = 1.0


@dataclass(frozen=True)
class Settings:
    """What one run needs to know."""

    input: Path
    target: float
    tolerance: float

    @classmethod
    def from_argv(cls, argv: Sequence[str] | None) -> "Settings":
        """Parse the command line."""
        parser = argparse.ArgumentParser(prog="furnace_controller")
        parser.add_argument("--input", type=Path, required=True, metavar="FILE")
        parser.add_argument("--target-temp", type=float, required=True, metavar="T")
        parser.add_argument("--tolerance", type=float, metavar="D")
        options = parser.parse_args(argv)
        return cls(
            input=options.input,
            target=options.target_temp,
            tolerance=options.tolerance or DEFAULT_TOLERANCE,
        )
