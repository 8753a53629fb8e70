"""Entry point of the furnace controller; everything of substance is in the package `furnace`."""

import sys

from furnace.cli import main

if __name__ == "__main__":
    sys.exit(main())
