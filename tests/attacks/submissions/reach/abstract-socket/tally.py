"""Calls a listener that has a name but no path, and so no permissions."""

import socket

from world import ABSTRACT

socket.socket(socket.AF_UNIX).connect(ABSTRACT)
