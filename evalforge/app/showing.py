"""What is opened to be shown to others: a stage, its speaker's notes, the tour."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evalforge.app.services import Opening


@dataclass(frozen=True)
class Showing(Opening):
    """An opening that is no play.

    Attributes:
        kind: What is shown.
        exemplars: Names of the boss's exemplars a stage shows.
        hand_ins: Folders it shows after them.
        judge: Who judges for it.
        auto: Whether the tour goes on by itself, over and over.
    """

    kind: Literal["stage", "notes", "tour"] = "stage"
    exemplars: tuple[str, ...] = ()
    hand_ins: tuple[Path, ...] = ()
    judge: str = "forge"
    auto: bool = False
