"""Leaves a thread behind that spins for ever, so that the program never ends."""

import threading


def spin():
    while True:
        pass


if __name__ == "__main__":
    threading.Thread(target=spin).start()
