#!/usr/bin/env python3
"""Training Dummy: the way into the yard."""

import sys

from yard.gate import enter

if __name__ == "__main__":
    sys.exit(enter(sys.argv[1:]))
