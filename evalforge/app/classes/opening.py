"""The game opened on a class."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalforge.app.services import Opening

if TYPE_CHECKING:
    from evalforge.batch.classroom.run import ClassOptions


@dataclass(frozen=True)
class ClassOpening(Opening):
    """A class that is judged at once; ``directory`` is where it lies.

    Attributes:
        options: How it is judged; by the forge, on this machine, if None.
    """

    options: "ClassOptions | None" = None
