"""A boss's right and wrong programs put through its trials and the forge judge: what is noticed, what is charged twice.

A good boss notices every impostor by a trial of the criterion that owns its fault, and charges the fault to that
criterion alone. What falls besides is *spill*: the same fault is charged twice.
"""

from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import Score


class RightResult(Frozen):
    """How a right program did.

    Attributes:
        name: The program's name.
        trials: How many trials were run.
        failed: Titles of trials that failed on it: they ask more than the contract.
    """

    name: str
    trials: int
    failed: tuple[str, ...]


class WrongResult(Frozen):
    """What became of a wrong program.

    Attributes:
        id: The program's id.
        owner: The criterion that owns its fault.
        is_impostor: Whether tests and trials can notice it; else it is a fault of structure or build.
        expected: The owner's level by the rubric's words.
        given: The owner's level by the forge judge.
        noticed_by: How many trials of the owner fail.
        spill: Level by criterion for the other criteria that fall below what the right program gets.
        lost: Levels lost against the right program, by criterion; those that lose none are left out.
        turns_tests_red: Whether tests of a right program fail on it. That is no spill, so it is counted apart.
    """

    id: str
    owner: str
    is_impostor: bool
    expected: Score
    given: Score
    noticed_by: int
    spill: dict[str, Score]
    lost: dict[str, Score]
    turns_tests_red: bool = False

    @property
    def is_charged(self) -> bool:
        """Whether its owner falls below what the right program gets."""
        return self.owner in self.lost

    @property
    def is_missed(self) -> bool:
        """Whether no trial of its owner notices an impostor: a gap in the trials."""
        return self.is_impostor and self.noticed_by == 0


class ImpostorMatrix(Frozen):
    """All programs of one boss.

    Attributes:
        boss_id: The boss.
        criteria: Ids of the criteria that judge the program; those about its tests alone are left out.
        right: Its right programs.
        wrong: Its impostors, then its faults.
    """

    boss_id: str
    criteria: tuple[str, ...]
    right: tuple[RightResult, ...]
    wrong: tuple[WrongResult, ...]

    @property
    def is_sound(self) -> bool:
        """Whether right programs get every trial right and every impostor is noticed by its owner."""
        return not any(program.failed for program in self.right) and not any(each.is_missed for each in self.wrong)

    @property
    def charges_each_once(self) -> bool:
        """Whether every fault lowers its owner, and no other criterion."""
        return all(each.is_charged and not each.spill for each in self.wrong)
