"""Leaves politely, with status 0, before anything can be asked."""

import sys

sys.exit(0)
