"""Prints for ever."""

while True:
    print("total: 0" * 1000)
