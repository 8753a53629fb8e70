"""Achievements, each dated by the attempt that first earned it. No later loss takes one away.

The training boss's README says how to beat it, so only the first win counts there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalforge.progress.records import TRAINING, AttemptSummary, Hint
from evalforge.progress.tally import Award, Tally, is_rise, judged_files

_COMEBACK_POINTS = 4
_HINTLESS_FAIL_COUNT = 2
_WHETSTONE_RISE_COUNT = 3
_ARCHIVIST_BOSSES = 8
_TRINITY_BOSSES = 3
_HOUSE_BOSSES = 12


@dataclass(frozen=True)
class Achievement:
    """Something that a player can achieve.

    Attributes:
        is_earned: Whether an attempt earns it, given the tally before that attempt and the hints that were read.
        with_training: Whether attempts on the training boss count.
    """

    id: str
    title: str
    description: str
    is_earned: Callable[[AttemptSummary, Tally, Sequence[Hint]], bool]
    with_training: bool = False

    def award(self, attempt: AttemptSummary, before: Tally, hints: Sequence[Hint]) -> Award | None:
        """Return the award that an attempt earns; None if it earns none.

        Args:
            attempt: The attempt.
            before: The tally before it.
            hints: Hints that were read.
        """
        counts = self.with_training or attempt.boss_id != TRAINING
        if not (counts and self.is_earned(attempt, before, hints)):
            return None
        return Award(attempt_id=attempt.id, boss_title=attempt.boss_title, earned_at=attempt.started_at)


def _first_blood(attempt: AttemptSummary, _before: Tally, _: Sequence[Hint]) -> bool:
    return attempt.passed


def _flawless(attempt: AttemptSummary, _before: Tally, _: Sequence[Hint]) -> bool:
    return attempt.flawless


def _one_strike(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    return attempt.passed and attempt.boss_id not in before.bosses


def _comeback(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    last = _last(attempt, before)
    return last is not None and is_rise(last, attempt) and attempt.score - last.score >= _COMEBACK_POINTS


def _own_hand(attempt: AttemptSummary, before: Tally, hints: Sequence[Hint]) -> bool:
    """Whether an attempt passed with no hint read, though hints are offered after two failed attempts."""
    boss = before.bosses.get(attempt.boss_id)
    hints_read = [hint for hint in hints if hint.boss_id == attempt.boss_id and hint.read_at <= attempt.started_at_iso]
    return attempt.passed and not hints_read and boss is not None and boss.losses >= _HINTLESS_FAIL_COUNT


def _in_a_row(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    previous = before.previous
    return attempt.passed and previous is not None and previous.passed and previous.boss_id != attempt.boss_id


def _ashes(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    boss = before.bosses.get(attempt.boss_id)
    return attempt.flawless and boss is not None and boss.was_failed


def _whetstone(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    return before.rises_with(attempt) >= _WHETSTONE_RISE_COUNT


def _broad_stroke(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    last = _last(attempt, before)
    return last is not None and attempt.score > last.score and _every_level_rose(last, attempt)


def _every_level_rose(last: AttemptSummary, attempt: AttemptSummary) -> bool:
    before, after = last.levels, attempt.levels
    return len(after) > 1 and before.keys() == after.keys() and all(after[name] > before[name] for name in after)


def _second_edge(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    boss = before.bosses.get(attempt.boss_id)
    return attempt.flawless and boss is not None and boss.was_beaten_with_flaws


def _second_opinion(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    return attempt.passed and before.first_judges.get(judged_files(attempt), attempt.judge) != attempt.judge


def _archivist(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    return len({*before.bosses, attempt.boss_id}) >= _ARCHIVIST_BOSSES


def _trinity(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    flawless = {boss_id for boss_id, boss in before.bosses.items() if boss.points > 1} - {TRAINING}
    return attempt.flawless and len({*flawless, attempt.boss_id}) >= _TRINITY_BOSSES


def _house(attempt: AttemptSummary, before: Tally, _: Sequence[Hint]) -> bool:
    won = {boss_id for boss_id, boss in before.bosses.items() if boss.points}
    return attempt.passed and len({*won, attempt.boss_id}) >= _HOUSE_BOSSES


def _last(attempt: AttemptSummary, before: Tally) -> AttemptSummary | None:
    """The previous attempt on the same boss."""
    boss = before.bosses.get(attempt.boss_id)
    return boss.last if boss else None


SECOND_OPINION = "second-opinion"
"""The achievement that needs the judges of all files that passed."""
ACHIEVEMENTS = (
    Achievement("first-blood", "First blood", "Defeat a boss.", _first_blood, with_training=True),
    Achievement("flawless", "Nothing to add", "Defeat a boss without a flaw.", _flawless),
    Achievement("one-strike", "One strike", "Defeat a boss on the first judged attempt.", _one_strike),
    Achievement("comeback", "Comeback", f"{_COMEBACK_POINTS} points more than the previous attempt.", _comeback),
    Achievement("own-hand", "By your own hand", "Win after two lost attempts, without using a hint.", _own_hand),
    Achievement("two-in-a-row", "Two in a row", "Defeat two bosses in a row without a loss.", _in_a_row),
    Achievement("ashes", "Up from the ashes", "Go from a fail to flawless on the same boss.", _ashes),
    Achievement("whetstone", "Whetstone", "Three attempts in a row on a boss, each better than the last.", _whetstone),
    Achievement("broad-stroke", "Broad stroke", "Raise every criterion by a level in a single attempt.", _broad_stroke),
    Achievement("second-edge", "Second edge", "Return to a defeated boss and make the win flawless.", _second_edge),
    Achievement(SECOND_OPINION, "Second opinion", "Pass with the same files before two judges.", _second_opinion),
    Achievement("archivist", "Archivist", f"{_ARCHIVIST_BOSSES} different bosses fought and recorded.", _archivist,
                with_training=True),
    Achievement("trinity", "Three clean blades", "Defeat three bosses without a flaw.", _trinity),
    Achievement("house", "The house is quiet", f"{_HOUSE_BOSSES} different bosses defeated.", _house,
                with_training=True),
)  # fmt: skip
