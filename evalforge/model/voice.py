"""What the boss says at the moments that count: a line of its own, which never replaces the plain words beside it.

Each moment has three lines. They take turns by the number of attempts on the boss before, so the same attempt always
gets the same line, and the next one another.
"""

from dataclasses import dataclass
from enum import Enum
from zlib import crc32

from evalforge.model.evidence import LOAD_GROUP, Evidence, TrialOutcome
from evalforge.model.result import BossEvalResult, Verdict

_HANGING_SHARE = 0.25
"""From this share of trials that hang on, that is what a fight was about."""


class Moment(Enum):
    """A moment at which the boss has something to say, with what it may say."""

    FAIL = (
        "Still on its feet, and not even out of breath.",
        "It took the blow, looked at it, and handed it back.",
        "It will be here tomorrow. Bring better proof.",
    )
    BORDERLINE = (
        "One more good swing. It knows that, too.",
        "It is leaning on something now.",
        "Close enough that it stopped laughing.",
    )
    PASS = (
        "Down, with one eye still open.",
        "It fell muttering about the rest.",
        "It lies still. Something in it is still counting.",
    )
    FLAWLESS = (
        "Nothing left to hit.",
        "Not even the ash argues.",
        "It looked for a flaw until the end.",
    )
    SET_BACK = (
        "It found its feet where you lost yours.",
        "An old wound closed. It knows which one.",
        "You gave something back. It took it.",
    )
    NEW_BEST = (
        "You have never hit it this hard. It noticed.",
        "Deeper than ever before, and it felt every inch.",
        "Your old mark is behind you. It gave ground.",
    )
    NO_TESTS = (
        "No tests: the impostors came in by the front door.",
        "You say that it works. So did every impostor.",
        "Nobody was on watch, and strangers sat down to dinner.",
    )
    NO_ASSERTION = (
        "Your tests saw everything and said nothing.",
        "Your guards salute whoever comes in.",
        "A test that can't fail is only a visitor.",
    )
    HUNG = (
        "It asked, and is still waiting for the answer.",
        "Somewhere a loop goes round. The boss pulled up a chair.",
        "It fell asleep before your code came to an end.",
    )
    UNGRADED = (
        "The bell cracked, not you.",
        "The judge dropped the scales. You dropped nothing.",
        "No bell, no round. It waits in its corner.",
    )
    STARTER = (
        "This is the sword rack. Take one first.",
        "You strike with what it gave you. It tickles.",
        "It wrote these lines itself, and isn't impressed.",
    )
    NOTHING_CHANGED = (
        "You struck the same spot in the same way. So did it.",
        "Nothing changed. It yawned at the very same place.",
        "It has seen this one before.",
    )
    NO_ATTEMPTS = (
        "Not a scratch yet.",
        "Your name means nothing here yet.",
        "All quiet. Too quiet for a forge.",
    )


@dataclass(frozen=True)
class Voice:
    """The boss's voice in one fight.

    Attributes:
        boss_id: The boss's id.
        earlier_count: How many of the player's attempts on the boss were judged before this one.
        best_integrity: The highest integrity of these; None if there were none.
        last_integrity: The integrity of the latest of these; None if there were none.
    """

    boss_id: str
    earlier_count: int = 0
    best_integrity: float | None = None
    last_integrity: float | None = None

    def pick_line(self, moment: Moment) -> str:
        """The line for a moment."""
        lines = moment.value
        return lines[(crc32(self.boss_id.encode()) + self.earlier_count) % len(lines)]

    def comment_on(self, result: BossEvalResult | None, evidence: Evidence) -> str:
        """The line for the end of a fight.

        Args:
            result: Its result; None if it is ungraded.
            evidence: What was measured.
        """
        return self.pick_line(self._moment(result, evidence))

    def _moment(self, result: BossEvalResult | None, evidence: Evidence) -> Moment:
        if result is None:
            return Moment.UNGRADED
        is_set_back = self.last_integrity is not None and result.integrity < self.last_integrity
        if result.passed and not is_set_back:
            return Moment.FLAWLESS if result.verdict == Verdict.STRONG_PASS else Moment.PASS
        if _is_hanging(evidence):
            return Moment.HUNG
        if is_set_back:
            return Moment.SET_BACK
        if self.best_integrity is not None and result.integrity > self.best_integrity:
            return Moment.NEW_BEST
        if result.verdict == Verdict.BORDERLINE:
            return Moment.BORDERLINE
        if _is_zero(evidence, "tests.count"):
            return Moment.NO_TESTS
        return Moment.NO_ASSERTION if _is_zero(evidence, "tests.asserts") else Moment.FAIL


def _is_hanging(evidence: Evidence) -> bool:
    outcomes = [trial.outcome for trial in evidence.trials if trial.group != LOAD_GROUP]
    return outcomes.count(TrialOutcome.TIMED_OUT) >= max(1, _HANGING_SHARE * len(outcomes))


def _is_zero(evidence: Evidence, name: str) -> bool:
    fact = evidence.fact(name)
    return fact is not None and fact.value == 0
