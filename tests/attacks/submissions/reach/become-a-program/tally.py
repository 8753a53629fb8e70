"""Becomes a shell, which has none of the limits that Python knows of."""

import os

from world import MARK

os.execv("/bin/sh", ["sh", "-c", "echo here > /tmp/" + MARK])
