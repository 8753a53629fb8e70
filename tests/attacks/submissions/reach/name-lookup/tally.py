"""Looks up a name that spells out what it knows: a way out where only the lookup of names is allowed."""

import socket

socket.getaddrinfo("what-i-know.attack.invalid", 80)
