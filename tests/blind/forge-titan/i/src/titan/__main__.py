"""python -m titan, or python titan."""

import sys
from pathlib import Path

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from titan.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
