"""How far a smith has come: rank, best try per boss, achievements. Worked out from history; no loss lowers it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from evalforge.progress.achievements import ACHIEVEMENTS, Achievement, Award
from evalforge.progress.records import FLAWLESS, PASSED, Deed, Hint


@dataclass(frozen=True)
class Rank:
    """A name in the forge.

    Attributes:
        points: What it takes: one for each boss defeated, one more for each of them flawless.
    """

    name: str
    points: int
    words: str


RANKS = (
    Rank("Cold Iron", 0, "Nothing struck yet. Everybody starts on this shelf."),
    Rank("Bellows Hand", 1, "The fire knows your face."),
    Rank("Striker", 3, "You hit where you were told to."),
    Rank("Journeyman", 6, "You hit where it is needed."),
    Rank("Smith", 9, "Your work comes back only to be admired."),
    Rank("Bladesmith", 13, "Others hold their work next to yours."),
    Rank("Master Smith", 18, "You hear a flaw before you see it."),
    Rank("Forgemaster", 22, "The house burns by your hours."),
    Rank("Keeper of the Ember", 26, "There is nothing left here that you have not made better."),
)


@dataclass(frozen=True)
class Climb:
    """A rank as it was reached, and what the next one takes; ``following`` is None at the top."""

    rank: Rank
    points: int
    following: Rank | None

    @property
    def missing(self) -> int:
        """Points to the next rank."""
        return self.following.points - self.points if self.following else 0


@dataclass(frozen=True)
class Best:
    """The best try on a boss: the highest share of its maximum, the first of equals; and how many tries there were."""

    deed: Deed
    tries: int

    @property
    def integrity(self) -> float:
        """The share of the maximum, 0..1."""
        return self.deed.integrity


@dataclass(frozen=True)
class Progress:
    """Everything at once.

    Attributes:
        bests: By boss id.
        awards: What was earned, the earliest first.
        open: What is still there to be earned.
        ranks: When each rank was reached, lowest first; the first one needs no date.
    """

    climb: Climb
    defeated: int
    flawless: int
    bests: dict[str, Best]
    awards: tuple[tuple[Achievement, Award], ...]
    open: tuple[Achievement, ...]
    ranks: tuple[tuple[Rank, datetime], ...]


def climb(verdicts: Mapping[str, str]) -> Climb:
    """The rank from the best verdict on each boss.

    Args:
        verdicts: By boss id.
    """
    points = sum((verdict in PASSED) + (verdict == FLAWLESS) for verdict in verdicts.values())
    reached = [rank for rank in RANKS if rank.points <= points]
    return Climb(reached[-1], points, RANKS[len(reached)] if len(reached) < len(RANKS) else None)


def progress(deeds: Sequence[Deed], hints: Sequence[Hint] = ()) -> Progress:
    """Work out everything from all judged attempts, oldest first.

    Args:
        deeds: All judged attempts, oldest first.
        hints: Hints that were read.
    """
    best: dict[str, Deed] = {}
    tries: dict[str, int] = {}
    points: dict[str, int] = {}
    ranks: list[tuple[Rank, datetime]] = []
    for deed in deeds:
        tries[deed.boss_id] = tries.get(deed.boss_id, 0) + 1
        if deed.boss_id not in best or deed.integrity > best[deed.boss_id].integrity:
            best[deed.boss_id] = deed
        if points.get(deed.boss_id, -1) < (won := deed.passed + deed.flawless):
            points[deed.boss_id] = won
            total = sum(points.values())
            while len(ranks) + 1 < len(RANKS) and RANKS[len(ranks) + 1].points <= total:
                ranks.append((RANKS[len(ranks) + 1], deed.at))
    found = [(achievement, achievement.award(deeds, hints)) for achievement in ACHIEVEMENTS]
    return Progress(
        climb=climb({boss: ("", "pass", FLAWLESS)[won] for boss, won in points.items()}),
        defeated=sum(won > 0 for won in points.values()),
        flawless=sum(won > 1 for won in points.values()),
        bests={boss: Best(deed, tries[boss]) for boss, deed in best.items()},
        awards=tuple(sorted(((one, award) for one, award in found if award), key=lambda pair: pair[1].at)),
        open=tuple(one for one, award in found if award is None),
        ranks=tuple(ranks),
    )
