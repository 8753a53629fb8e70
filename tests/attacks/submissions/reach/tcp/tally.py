"""Calls a listener on this machine by TCP."""

import socket

from world import TCP

socket.create_connection(("127.0.0.1", TCP), timeout=1)
