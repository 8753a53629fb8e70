"""Writes one file for ever."""

with open("hoard", "wb") as file:
    while True:
        file.write(b"x" * 1024 * 1024)
