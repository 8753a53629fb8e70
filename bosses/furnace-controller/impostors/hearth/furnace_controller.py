"""Entry point of the furnace controller; the work is done in the package `hearth`."""

import sys

from hearth.console import main

if __name__ == "__main__":
    sys.exit(main())
