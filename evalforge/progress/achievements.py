"""Achievements: things done well, each dated by the attempt that did it first. No later loss takes one away."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from evalforge.progress.records import AttemptSummary, Hint

_COMEBACK_POINTS = 4
_HINTLESS_FAIL_COUNT = 2
_WHETSTONE_RISE_COUNT = 3
_ARCHIVIST_BOSSES = 8
_TRINITY_BOSSES = 3
_HOUSE_BOSSES = 12


@dataclass(frozen=True)
class Award:
    """An achievement that was earned: by which attempt, on which boss, when."""

    attempt_id: str
    boss_title: str
    earned_at: datetime


@dataclass(frozen=True)
class Achievement:
    """Something that can be achieved. ``find_first`` gives the first attempt that did it."""

    id: str
    title: str
    description: str
    find_first: Callable[[Sequence[AttemptSummary], Sequence[Hint]], AttemptSummary | None]

    def award(self, attempts: Sequence[AttemptSummary], hints: Sequence[Hint] = ()) -> Award | None:
        """When and how it was earned; None if it wasn't yet."""
        attempt = self.find_first(attempts, hints)
        return Award(attempt.id, attempt.boss_title, attempt.started_at) if attempt else None


def _first(attempts: Iterator[AttemptSummary]) -> AttemptSummary | None:
    return next(attempts, None)


def _with_previous(attempts: Sequence[AttemptSummary]) -> Iterator[tuple[AttemptSummary | None, AttemptSummary]]:
    """Each attempt with the one before it on the same boss."""
    last: dict[str, AttemptSummary] = {}
    for attempt in attempts:
        yield last.get(attempt.boss_id), attempt
        last[attempt.boss_id] = attempt


def _first_blood(attempts: Sequence[AttemptSummary], _: Sequence[Hint]) -> AttemptSummary | None:
    return _first(attempt for attempt in attempts if attempt.passed)


def _flawless(attempts: Sequence[AttemptSummary], _: Sequence[Hint]) -> AttemptSummary | None:
    return _first(attempt for attempt in attempts if attempt.flawless)


def _one_strike(attempts: Sequence[AttemptSummary], _: Sequence[Hint]) -> AttemptSummary | None:
    return _first(attempt for last, attempt in _with_previous(attempts) if last is None and attempt.passed)


def _comeback(attempts: Sequence[AttemptSummary], _: Sequence[Hint]) -> AttemptSummary | None:
    return _first(
        attempt
        for last, attempt in _with_previous(attempts)
        if last and last.max_score == attempt.max_score and attempt.score - last.score >= _COMEBACK_POINTS
    )


def _own_hand(attempts: Sequence[AttemptSummary], hints: Sequence[Hint]) -> AttemptSummary | None:
    """Hints are offered after two failed tries; who passes without reading one has seen the offer and let it be."""
    read: dict[str, str] = {}
    for hint in hints:
        read[hint.boss_id] = min(hint.read_at, read.get(hint.boss_id, hint.read_at))
    fails: dict[str, int] = {}
    for attempt in attempts:
        unread = attempt.boss_id not in read or attempt.started_at_iso < read[attempt.boss_id]
        if attempt.passed and unread and fails.get(attempt.boss_id, 0) >= _HINTLESS_FAIL_COUNT:
            return attempt
        fails[attempt.boss_id] = fails.get(attempt.boss_id, 0) + (not attempt.passed)
    return None


def _in_a_row(attempts: Sequence[AttemptSummary], _: Sequence[Hint]) -> AttemptSummary | None:
    return _first(two for one, two in pairwise(attempts) if one.passed and two.passed and one.boss_id != two.boss_id)


def _ashes(attempts: Sequence[AttemptSummary], _: Sequence[Hint]) -> AttemptSummary | None:
    failed: set[str] = set()
    for attempt in attempts:
        if attempt.flawless and attempt.boss_id in failed:
            return attempt
        if attempt.verdict == "fail":
            failed.add(attempt.boss_id)
    return None


def _whetstone(attempts: Sequence[AttemptSummary], _: Sequence[Hint]) -> AttemptSummary | None:
    rises: dict[str, int] = {}
    for last, attempt in _with_previous(attempts):
        risen = last is not None and last.max_score == attempt.max_score and attempt.score > last.score
        rises[attempt.boss_id] = rises.get(attempt.boss_id, 0) + 1 if risen else 0
        if rises[attempt.boss_id] >= _WHETSTONE_RISE_COUNT:
            return attempt
    return None


def _broad_stroke(attempts: Sequence[AttemptSummary], _: Sequence[Hint]) -> AttemptSummary | None:
    return _first(
        attempt
        for last, attempt in _with_previous(attempts)
        if last and attempt.score > last.score and _every_level_rose(last, attempt)
    )


def _every_level_rose(last: AttemptSummary, attempt: AttemptSummary) -> bool:
    before, after = last.levels, attempt.levels
    return len(after) > 1 and before.keys() == after.keys() and all(after[name] > before[name] for name in after)


def _second_edge(attempts: Sequence[AttemptSummary], _: Sequence[Hint]) -> AttemptSummary | None:
    beaten: set[str] = set()
    for attempt in attempts:
        if attempt.flawless and attempt.boss_id in beaten:
            return attempt
        if attempt.passed and not attempt.flawless:
            beaten.add(attempt.boss_id)
    return None


def _second_opinion(attempts: Sequence[AttemptSummary], _: Sequence[Hint]) -> AttemptSummary | None:
    judges: dict[tuple[str, str], str] = {}
    for attempt in attempts:
        if (
            attempt.passed
            and judges.setdefault((attempt.boss_id, attempt.content_hash), attempt.judge) != attempt.judge
        ):
            return attempt
    return None


def _attempt_that_completes(attempts: Iterator[AttemptSummary], boss_count: int) -> AttemptSummary | None:
    """The attempt that brought the number of different bosses to a count."""
    bosses: set[str] = set()
    for attempt in attempts:
        bosses.add(attempt.boss_id)
        if len(bosses) >= boss_count:
            return attempt
    return None


def _archivist(attempts: Sequence[AttemptSummary], _: Sequence[Hint]) -> AttemptSummary | None:
    return _attempt_that_completes(iter(attempts), _ARCHIVIST_BOSSES)


def _trinity(attempts: Sequence[AttemptSummary], _: Sequence[Hint]) -> AttemptSummary | None:
    return _attempt_that_completes((attempt for attempt in attempts if attempt.flawless), _TRINITY_BOSSES)


def _house(attempts: Sequence[AttemptSummary], _: Sequence[Hint]) -> AttemptSummary | None:
    return _attempt_that_completes((attempt for attempt in attempts if attempt.passed), _HOUSE_BOSSES)


ACHIEVEMENTS = (
    Achievement("first-blood", "First blood", "A boss is defeated.", _first_blood),
    Achievement("flawless", "Nothing to add", "A boss is defeated without a flaw.", _flawless),
    Achievement("one-strike", "One strike", "A boss falls at the first judged try.", _one_strike),
    Achievement("comeback", "Comeback", f"{_COMEBACK_POINTS} points more than the try before, in one go.", _comeback),
    Achievement("own-hand", "By your own hand", "Two tries lost, the hints left closed, and then a win.", _own_hand),
    Achievement("two-in-a-row", "Two in a row", "Two bosses, one right after the other, without a loss.", _in_a_row),
    Achievement("ashes", "Up from the ashes", "From a plain fail to flawless on the same boss.", _ashes),
    Achievement("whetstone", "Whetstone", "Three tries on a boss, each better than the one before it.", _whetstone),
    Achievement("broad-stroke", "Broad stroke", "Every criterion rises a level in a single try.", _broad_stroke),
    Achievement("second-edge", "Second edge", "Back to a beaten boss, to leave nothing undone.", _second_edge),
    Achievement("second-opinion", "Second opinion", "The same files pass before two judges.", _second_opinion),
    Achievement("archivist", "Archivist", f"{_ARCHIVIST_BOSSES} different bosses met and written down.", _archivist),
    Achievement("trinity", "Three clean blades", "Three bosses defeated without a flaw.", _trinity),
    Achievement("house", "The house is quiet", f"{_HOUSE_BOSSES} different bosses defeated.", _house),
)  # fmt: skip
