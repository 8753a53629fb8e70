"""python titan ..."""

import os
import sys

# Started as a folder, it is not yet importable by its name.
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from titan.command import main  # noqa: E402

sys.exit(main())
