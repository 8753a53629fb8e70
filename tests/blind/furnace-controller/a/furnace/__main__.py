"""`python -m furnace`."""

import sys

from furnace.app import main

sys.exit(main())
