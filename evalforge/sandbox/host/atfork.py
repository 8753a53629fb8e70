"""What modules have the interpreter do at each fork, held back until there is need of it.

The host forks hundreds of times, always with one thread, no lock taken, and random numbers that are seeded anew in the
child: nothing that these functions put right is ever wrong there, and they are a good part of what a fork costs. To be
imported before what it is about; code that may fork by itself gets the functions back.
"""

from __future__ import annotations

import os

_register = getattr(os, "register_at_fork", None)
_held = []


def release():
    """From here on modules register for themselves again."""
    if _register is not None:
        os.register_at_fork = _register


def give_back():
    """Have the interpreter do what was held back, in this process and its forks."""
    while _held:
        _register(**_held.pop(0))


if _register is not None:
    os.register_at_fork = lambda **functions: _held.append(functions)
