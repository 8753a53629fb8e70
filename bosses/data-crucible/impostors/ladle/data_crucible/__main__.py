"""python -m data_crucible, or python data_crucible."""

import sys

from data_crucible.rim import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
