"""The entry of the command line."""

import os
import sys

if not __package__:
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from titan.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
