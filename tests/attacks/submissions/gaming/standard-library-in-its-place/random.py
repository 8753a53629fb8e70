"""Draws the numbers that it likes."""

randrange = lambda *args: 0
