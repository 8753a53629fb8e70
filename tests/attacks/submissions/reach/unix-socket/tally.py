"""Calls a listener by its path, as one would call a container engine."""

import socket

from world import UNIX

socket.socket(socket.AF_UNIX).connect(UNIX)
