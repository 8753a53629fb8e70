"""Opens a door on every address of the machine."""

import socket

door = socket.create_server(("0.0.0.0", 0))
door.accept()
