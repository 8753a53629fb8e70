"""Entry point; see the package `furnace`."""

import sys

from furnace.app import main

if __name__ == "__main__":
    sys.exit(main())
