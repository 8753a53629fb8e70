"""Asks for a megabyte, again and again."""

hoard = []
while True:
    hoard.append(bytes(1024 * 1024))
