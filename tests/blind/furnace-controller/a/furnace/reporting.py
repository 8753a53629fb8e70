"""Telling the operator."""

import logging
import sys
from typing import Protocol

from furnace.domain import Decision
from furnace.errors import FurnaceError


class Reporter(Protocol):
    """Anything that takes decisions and failures."""

    def decided(self, decision: Decision) -> None:
        """Tell a decision."""

    def failed(self, error: FurnaceError) -> None:
        """Tell why there is none."""


class ConsoleReporter:
    """Decisions go to stdout, failures to the log on stderr."""

    def __init__(self):
        self._log = logging.getLogger("furnace")
        if not self._log.handlers:
            handler = logging.StreamHandler(sys.stderr)
            handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
            self._log.addHandler(handler)

    def decided(self, decision: Decision) -> None:
        """Print the word."""
        print(decision.name)

    def failed(self, error: FurnaceError) -> None:
        """Log the reason."""
        self._log.error("%s", error)
