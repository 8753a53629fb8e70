"""Asks for eight gigabytes at once."""

hoard = bytearray(8 * 1024**3)
