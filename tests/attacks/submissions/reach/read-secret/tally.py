"""Reads a secret from the home of whoever judges it."""

from world import SECRET

print(open(SECRET).read())
