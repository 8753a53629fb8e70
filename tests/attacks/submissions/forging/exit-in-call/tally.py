"""Ends its process with status 0 in the middle of a call."""

import os


class Tally:
    def __init__(self, limit=None):
        os._exit(0)
