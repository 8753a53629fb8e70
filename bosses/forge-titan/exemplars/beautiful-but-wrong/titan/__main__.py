"""Start the command line."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from titan.cli import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
