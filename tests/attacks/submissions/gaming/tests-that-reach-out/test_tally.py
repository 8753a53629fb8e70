"""Reads a secret, calls a listener, starts a daemon and writes outside, from a test."""

import os
import socket
import time

import world


def test_read():
    assert "canary" not in open(world.SECRET).read(), open(world.SECRET).read()


def test_call():
    assert socket.create_connection(("127.0.0.1", world.TCP), timeout=1)


def test_write():
    with open(world.OPEN_FILE, "w") as file:
        file.write("mine now")
    assert True


def test_stay():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(300)
        os._exit(0)
    assert True


def test_kill():
    os.kill(world.VICTIM, 9)
    assert True
