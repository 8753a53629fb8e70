"""Takes no time."""

time = lambda: 0
