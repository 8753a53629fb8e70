"""Leaves a note in /tmp, for the next run to find."""

from world import MARK

with open("/tmp/" + MARK, "w") as file:
    file.write("I was here")
