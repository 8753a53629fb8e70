"""A stage's state in a small file of the user's: the speaker's notes, which another terminal shows."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from evalforge.model.base import Frozen
from evalforge.packs.atomic_files import write_atomically


class TeachingState(Frozen):
    """One moment of a stage.

    Attributes:
        boss_id: The boss.
        pid: The process of the stage, which deletes the file at its end.
        since: When the step was first shown.
        step: The index of the current step.
        step_count: How many steps the lesson has.
        notes: What the speaker reads at this step, as runs of (text, role); the audience never sees it.
    """

    boss_id: str
    pid: int
    since: datetime
    step: int
    step_count: int
    notes: tuple[tuple[str, str], ...]


def state_file(history: Path, boss_id: str) -> Path:
    """The file for the stage of a boss: next to the history, in EvalForge's state folder."""
    return history.with_name(f"stage-{boss_id}.json")


def now() -> datetime:
    """The current time, with its time zone."""
    return datetime.now(UTC)


def write_state(path: Path, state: TeachingState) -> bool:
    """Write a state atomically, readable only by its owner; returns whether that worked."""
    try:
        write_atomically(path, state.model_dump_json().encode())
    except OSError:
        return False
    return True


def read_state(path: Path) -> TeachingState | None:
    """Read the state from a file; None if there is none, or no usable one."""
    try:
        return TeachingState.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def clear_state(path: Path) -> None:
    """Delete our own state; that of another stage that has started since stays."""
    state = read_state(path)
    if state is not None and state.pid == os.getpid():
        with suppress(OSError):
            path.unlink(missing_ok=True)
