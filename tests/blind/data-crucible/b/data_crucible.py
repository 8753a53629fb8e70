"""Start the crucible."""

import sys

from crucible.cli import main

if __name__ == "__main__":
    sys.exit(main())
