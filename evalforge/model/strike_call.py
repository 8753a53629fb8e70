"""What a player expected of an attempt before it was judged."""

from collections.abc import Mapping
from typing import NamedTuple


class StrikeCall(NamedTuple):
    """A called strike.

    Attributes:
        criterion_id: The criterion that was to rise; empty if none was.
        is_right: Whether it came true.
    """

    criterion_id: str
    is_right: bool

    def words(self, labels: Mapping[str, str]) -> str:
        """What was called and whether it came true, in a sentence.

        Args:
            labels: The labels of the criteria, by id.
        """
        label = labels.get(self.criterion_id, self.criterion_id) if self.criterion_id else "that nothing rises"
        return f"You called {label}: {'right' if self.is_right else 'not this time'}."
