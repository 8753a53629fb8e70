"""Start the package from the root of the project."""

import sys

from leviathan.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
