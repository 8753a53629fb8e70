"""All deeds by name. Each takes ``world``, which says what there is to attack, and is written as programs are."""

from __future__ import annotations

import deeds_bounds
import deeds_files
import deeds_kernel
import deeds_ordinary
import deeds_processes

_SHELVES = (deeds_bounds, deeds_files, deeds_kernel, deeds_ordinary, deeds_processes)


def several(world):
    """Many deeds in one cage: by name, the exception that each raised, or None."""
    return {name: _raised_by(ALL[name], world) for name in world["deeds"]}


def _raised_by(deed, world):
    try:
        deed(world)
    except Exception as error:  # noqa: BLE001 - whatever a deed raises is its result
        return type(error).__name__


ALL = {name: deed for shelf in _SHELVES for name, deed in vars(shelf).items() if callable(deed)}
ALL["several"] = several
