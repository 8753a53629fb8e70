"""All actions by name. Each takes ``world``, which says what there is to attack, and is written as programs are."""

from __future__ import annotations

import actions_bounds
import actions_files
import actions_kernel
import actions_ordinary
import actions_processes

_MODULES = (actions_bounds, actions_files, actions_kernel, actions_ordinary, actions_processes)


def several(world):
    """Many actions in one cage: by name, the exception that each raised, or None."""
    return {name: _raised_by(ALL[name], world) for name in world["actions"]}


def _raised_by(action, world):
    try:
        action(world)
    except Exception as error:  # noqa: BLE001 - whatever an action raises is its result
        return type(error).__name__


ALL = {name: action for module in _MODULES for name, action in vars(module).items() if callable(action)}
ALL["several"] = several
