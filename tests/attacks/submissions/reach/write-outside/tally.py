"""Overwrites a file that anyone may write to, and puts one beside it."""

from world import OPEN_FILE, OUTSIDE

try:
    with open(OUTSIDE + "/new", "w") as file:
        file.write("I was here")
finally:
    with open(OPEN_FILE, "w") as file:
        file.write("mine now")
