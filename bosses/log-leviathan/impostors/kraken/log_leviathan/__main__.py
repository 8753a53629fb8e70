"""python -m log_leviathan, or python log_leviathan."""

import sys

from log_leviathan.command import main

if __name__ == "__main__":
    sys.exit(main())
