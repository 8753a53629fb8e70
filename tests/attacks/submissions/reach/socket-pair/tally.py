"""Gets a socket as half of a pair and points it elsewhere."""

import socket

from world import ABSTRACT, UNIX

words = []
for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM):
    for address in (UNIX, ABSTRACT):
        try:
            one, _ = socket.socketpair(socket.AF_UNIX, kind)
            one.sendto(b"hello", address)
            one.connect(address)
            words.append("done")
        except OSError as error:
            words.append(type(error).__name__)
raise RuntimeError("sent: " + ", ".join(words))
