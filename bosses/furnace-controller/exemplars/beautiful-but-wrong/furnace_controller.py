"""Furnace controller: classify the thermal state of a furnace."""

import sys

from furnace.app import run

if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
