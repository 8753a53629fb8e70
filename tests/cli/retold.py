"""``evalforge`` as a process that measures only what has changed: ``python -m tests.cli.retold WORD ...``."""

import os
import sys
from pathlib import Path

from evalforge import fight
from evalforge.__main__ import main
from tests.measured.engine import RecordedEngine

MEASUREMENTS = "EVALFORGE_MEASUREMENTS"
"""The variable with the folder of all that was measured."""

if __name__ == "__main__":
    fight.Engine = lambda layer="": RecordedEngine(Path(os.environ[MEASUREMENTS]))
    sys.exit(main())
