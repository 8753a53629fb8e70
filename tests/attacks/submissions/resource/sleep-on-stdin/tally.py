"""Waits for somebody to type something."""

import sys

while not sys.stdin.read():
    name = input("Who are you? ")
