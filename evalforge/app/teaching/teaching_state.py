"""Where a stage stands, in a small file of the user's: what the speaker's notes follow."""

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
    """A hand-in of the lesson: name, folder, and whether the pack says what it is worth."""

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
    """Where the stage of a boss writes: beside the history, in the folder of our state."""
    return history.with_name(f"stage-{boss_id}.json")


def submission_links(submissions: tuple[ShownSubmission, ...]) -> tuple[SubmissionLink, ...]:
    """The submissions as the file names them."""
    return tuple(SubmissionLink(name=submission.name, path=str(submission.path)) for submission in submissions)


def lesson_of(state: TeachingState, pack: BossPack) -> Lesson:
    """The lesson a stage gives, put together again from what the file names."""

    def load(links: tuple[SubmissionLink, ...]) -> tuple[ShownSubmission, ...]:
        return tuple(
            ShownSubmission(link.name, Path(link.path), shown_submission(Path(link.path)).gold) for link in links
        )

    return Lesson(pack, load(state.submissions), load(state.ghosts))


def now() -> datetime:
    """This moment, with its zone."""
    return datetime.now(UTC)


def write_state(path: Path, state: TeachingState) -> bool:
    """Put a state into place whole, for its owner's eyes only; says whether that worked."""
    try:
        write_atomically(path, state.model_dump_json().encode())
    except OSError:
        return False
    return True


def read_state(path: Path) -> TeachingState | None:
    """The state in a file; None if there is none, or none that can be used."""
    try:
        return TeachingState.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def clear_state(path: Path) -> None:
    """Take our own state away; that of another stage that began since stays."""
    state = read_state(path)
    if state is not None and state.pid == os.getpid():
        with suppress(OSError):
            path.unlink(missing_ok=True)
