"""Starts a shell by the one call that raises nothing when it is refused."""

import os

from world import MARK

os.system("echo here > /tmp/" + MARK)
