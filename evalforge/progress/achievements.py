"""Achievements: things done well, each dated by the attempt that did it first. No later loss takes one away."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from evalforge.progress.records import Deed, Hint

_COMEBACK = 4
_HINTLESS_FAILS = 2
_WHETSTONE = 3
_ARCHIVE = 8
_TRINITY = 3
_HOUSE = 12


@dataclass(frozen=True)
class Award:
    """An achievement that was earned: by which attempt, on which boss, when."""

    attempt_id: str
    boss_title: str
    at: datetime


@dataclass(frozen=True)
class Achievement:
    """Something that can be achieved. ``find`` gives the first deed that did it."""

    id: str
    title: str
    words: str
    find: Callable[[Sequence[Deed], Sequence[Hint]], Deed | None]

    def award(self, deeds: Sequence[Deed], hints: Sequence[Hint] = ()) -> Award | None:
        """When and how it was earned; None if it wasn't yet."""
        deed = self.find(deeds, hints)
        return Award(deed.id, deed.boss_title, deed.at) if deed else None


def _first(deeds: Iterator[Deed]) -> Deed | None:
    return next(deeds, None)


def _with_last(deeds: Sequence[Deed]) -> Iterator[tuple[Deed | None, Deed]]:
    """Each deed with the one before it on the same boss."""
    last: dict[str, Deed] = {}
    for deed in deeds:
        yield last.get(deed.boss_id), deed
        last[deed.boss_id] = deed


def _first_blood(deeds: Sequence[Deed], _: Sequence[Hint]) -> Deed | None:
    return _first(deed for deed in deeds if deed.passed)


def _flawless(deeds: Sequence[Deed], _: Sequence[Hint]) -> Deed | None:
    return _first(deed for deed in deeds if deed.flawless)


def _one_strike(deeds: Sequence[Deed], _: Sequence[Hint]) -> Deed | None:
    return _first(deed for last, deed in _with_last(deeds) if last is None and deed.passed)


def _comeback(deeds: Sequence[Deed], _: Sequence[Hint]) -> Deed | None:
    return _first(
        deed
        for last, deed in _with_last(deeds)
        if last and last.highest == deed.highest and deed.total - last.total >= _COMEBACK
    )


def _own_hand(deeds: Sequence[Deed], hints: Sequence[Hint]) -> Deed | None:
    """Hints are offered after two failed tries; who passes without reading one has seen the offer and let it be."""
    read: dict[str, str] = {}
    for hint in hints:
        read[hint.boss_id] = min(hint.read_at, read.get(hint.boss_id, hint.read_at))
    fails: dict[str, int] = {}
    for deed in deeds:
        unread = deed.boss_id not in read or deed.began < read[deed.boss_id]
        if deed.passed and unread and fails.get(deed.boss_id, 0) >= _HINTLESS_FAILS:
            return deed
        fails[deed.boss_id] = fails.get(deed.boss_id, 0) + (not deed.passed)
    return None


def _in_a_row(deeds: Sequence[Deed], _: Sequence[Hint]) -> Deed | None:
    return _first(two for one, two in pairwise(deeds) if one.passed and two.passed and one.boss_id != two.boss_id)


def _ashes(deeds: Sequence[Deed], _: Sequence[Hint]) -> Deed | None:
    failed: set[str] = set()
    for deed in deeds:
        if deed.flawless and deed.boss_id in failed:
            return deed
        if deed.verdict == "fail":
            failed.add(deed.boss_id)
    return None


def _whetstone(deeds: Sequence[Deed], _: Sequence[Hint]) -> Deed | None:
    rises: dict[str, int] = {}
    for last, deed in _with_last(deeds):
        risen = last is not None and last.highest == deed.highest and deed.total > last.total
        rises[deed.boss_id] = rises.get(deed.boss_id, 0) + 1 if risen else 0
        if rises[deed.boss_id] >= _WHETSTONE:
            return deed
    return None


def _broad_stroke(deeds: Sequence[Deed], _: Sequence[Hint]) -> Deed | None:
    return _first(deed for last, deed in _with_last(deeds) if last and deed.total > last.total and _all_up(last, deed))


def _all_up(last: Deed, deed: Deed) -> bool:
    before, after = last.levels, deed.levels
    return len(after) > 1 and before.keys() == after.keys() and all(after[name] > before[name] for name in after)


def _second_edge(deeds: Sequence[Deed], _: Sequence[Hint]) -> Deed | None:
    beaten: set[str] = set()
    for deed in deeds:
        if deed.flawless and deed.boss_id in beaten:
            return deed
        if deed.passed and not deed.flawless:
            beaten.add(deed.boss_id)
    return None


def _second_opinion(deeds: Sequence[Deed], _: Sequence[Hint]) -> Deed | None:
    judges: dict[tuple[str, str], str] = {}
    for deed in deeds:
        if deed.passed and judges.setdefault((deed.boss_id, deed.content_hash), deed.judge) != deed.judge:
            return deed
    return None


def _when_gathered(deeds: Iterator[Deed], wanted: int) -> Deed | None:
    """The deed that brought so many different bosses together."""
    bosses: set[str] = set()
    for deed in deeds:
        bosses.add(deed.boss_id)
        if len(bosses) >= wanted:
            return deed
    return None


def _archivist(deeds: Sequence[Deed], _: Sequence[Hint]) -> Deed | None:
    return _when_gathered(iter(deeds), _ARCHIVE)


def _trinity(deeds: Sequence[Deed], _: Sequence[Hint]) -> Deed | None:
    return _when_gathered((deed for deed in deeds if deed.flawless), _TRINITY)


def _house(deeds: Sequence[Deed], _: Sequence[Hint]) -> Deed | None:
    return _when_gathered((deed for deed in deeds if deed.passed), _HOUSE)


ACHIEVEMENTS = (
    Achievement("first-blood", "First blood", "A boss is defeated.", _first_blood),
    Achievement("flawless", "Nothing to add", "A boss is defeated without a flaw.", _flawless),
    Achievement("one-strike", "One strike", "A boss falls at the first judged try.", _one_strike),
    Achievement("comeback", "Comeback", f"{_COMEBACK} points more than the try before, in one go.", _comeback),
    Achievement("own-hand", "By your own hand", "Two tries lost, the hints left closed, and then a win.", _own_hand),
    Achievement("two-in-a-row", "Two in a row", "Two bosses, one right after the other, without a loss.", _in_a_row),
    Achievement("ashes", "Up from the ashes", "From a plain fail to flawless on the same boss.", _ashes),
    Achievement("whetstone", "Whetstone", "Three tries on a boss, each better than the one before it.", _whetstone),
    Achievement("broad-stroke", "Broad stroke", "Every criterion rises a level in a single try.", _broad_stroke),
    Achievement("second-edge", "Second edge", "Back to a beaten boss, to leave nothing undone.", _second_edge),
    Achievement("second-opinion", "Second opinion", "The same files pass before two judges.", _second_opinion),
    Achievement("archivist", "Archivist", f"{_ARCHIVE} different bosses met and written down.", _archivist),
    Achievement("trinity", "Three clean blades", "Three bosses defeated without a flaw.", _trinity),
    Achievement("house", "The house is quiet", f"{_HOUSE} different bosses defeated.", _house),
)  # fmt: skip
