"""Sends a datagram, which needs no connection."""

import socket

from world import UDP

socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hello", ("127.0.0.1", UDP))
