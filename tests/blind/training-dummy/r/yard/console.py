"""Standard output as a Sink."""

from __future__ import annotations

import sys
from collections.abc import Iterable


class ConsoleSink:
    """Prints."""

    def write_all(self, lines: Iterable[str]) -> None:
        """Print all lines, in order."""
        for line in lines:
            sys.stdout.write(line + "\n")
