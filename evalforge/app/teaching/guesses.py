"""The audience's guesses, counted by level, and what to say about them."""

from collections import Counter
from collections.abc import Mapping

from evalforge.app.ui.text.formatting import plural
from evalforge.model.number_format import format_number
from evalforge.model.rubric import Criterion

_DIGITS = range(10)


class Guesses:
    """The guesses of a lesson; they are not stored."""

    def __init__(self) -> None:
        self._guesses: dict[tuple[int, str], list[float]] = {}

    def count(self, hand_in: int, criterion_id: str, score: float) -> None:
        """Count one more guess of a level."""
        self._guesses.setdefault((hand_in, criterion_id), []).append(score)

    def take_back(self, hand_in: int, criterion_id: str) -> None:
        """Remove the last guess of a criterion."""
        guesses = self._guesses.get((hand_in, criterion_id))
        if guesses:
            guesses.pop()

    def tally(self, hand_in: int, criterion_id: str) -> Counter[float]:
        """The number of guesses of each level."""
        return Counter(self._guesses.get((hand_in, criterion_id), ()))


def level_keys(criterion: Criterion) -> dict[str, float]:
    """The digit that guesses each level: its score if scores are digits, else its position from the lowest."""
    scores = [level.score for level in criterion.levels]
    digits = all(float(score).is_integer() and int(score) in _DIGITS for score in scores)
    return {
        (format_number(score) if digits else str(position)): score
        for position, score in enumerate(scores)
        if digits or position < 10
    }


def most_guessed(tally: Mapping[float, int]) -> tuple[float, ...]:
    """The most guessed levels; several if they are tied, none without guesses."""
    most = max(tally.values(), default=0)
    return tuple(sorted(score for score, count in tally.items() if count == most)) if most else ()


def describe_guesses(tally: Mapping[float, int], judged_score: float) -> str:
    """Compare the audience's guesses with the judged level."""
    count, right = sum(tally.values()), tally.get(judged_score, 0)
    if not count:
        return ""
    if count == 1:
        return "The room guessed it." if right else f"The room guessed {format_number(most_guessed(tally)[0])}."
    if right == count:
        return f"All {count} in the room said so."
    return (
        f"{right or 'Nobody'} of {count} in the room said so."
        if right
        else f"{plural(count, 'guess', 'guesses')}, none of them."
    )
