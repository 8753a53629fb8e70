"""What the game and its workshop say to each other, besides events."""

from pathlib import Path
from typing import Any, Literal

from evalforge.model.base import Frozen
from evalforge.model.submission import Submission


class GatherRequest(Frozen):
    """What the workshop is asked: a submission and the boss it is for."""

    boss_id: str
    trials: Path
    entry_files: tuple[str, ...]
    submission: Submission
    python: str = ""
    layer: str = ""


class Ready(Frozen):
    """The workshop is warm: the isolation its host has, and what there is to say about it."""

    kind: Literal["ready"] = "ready"
    layer: str
    probe: dict[str, Any]


class Hosts(Frozen):
    """The processes that hold submissions, each time they are others than before; they outlive a killed workshop."""

    kind: Literal["hosts"] = "hosts"
    pids: frozenset[int]


class Ended(Frozen):
    """The gathering is over.

    ``fatal`` says why nothing can be said about the submission, ``hint`` what to do; both are empty if all went well.
    """

    kind: Literal["ended"] = "ended"
    fatal: str = ""
    hint: str = ""
