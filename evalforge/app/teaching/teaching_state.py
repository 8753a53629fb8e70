"""A stage's state in a small file of the user's, which the speaker's notes follow."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from pydantic import Field, ValidationError

from evalforge.app.teaching.lesson_plan import Lesson, ShownSubmission, shown_submission
from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import Score
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.pack import BossPack


class SubmissionLink(Frozen):
    """A submission of the lesson: its name and its folder."""

    name: str
    path: str


class TeachingState(Frozen):
    """One moment of a stage. ``judged`` is by folder and criterion; only the speaker's screen reads it."""

    boss_id: str
    pid: int
    since: datetime
    step: int
    submissions: tuple[SubmissionLink, ...]
    ghosts: tuple[SubmissionLink, ...] = ()
    judged: dict[str, dict[str, Score]] = Field(default_factory=dict)
    tally: tuple[tuple[Score, int], ...] = ()


def state_file(history: Path, boss_id: str) -> Path:
    """The file for the stage of a boss: next to the history, in EvalForge's state folder."""
    return history.with_name(f"stage-{boss_id}.json")


def submission_links(submissions: tuple[ShownSubmission, ...]) -> tuple[SubmissionLink, ...]:
    """Return the submissions in the form that the file stores."""
    return tuple(SubmissionLink(name=submission.name, path=str(submission.path)) for submission in submissions)


def lesson_of(state: TeachingState, pack: BossPack) -> Lesson:
    """Rebuild the lesson that a stage gives from its state."""

    def load(links: tuple[SubmissionLink, ...]) -> tuple[ShownSubmission, ...]:
        return tuple(
            ShownSubmission(link.name, Path(link.path), shown_submission(Path(link.path)).gold) for link in links
        )

    return Lesson(pack, load(state.submissions), load(state.ghosts))


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
