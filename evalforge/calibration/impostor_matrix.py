"""A boss's right and wrong programs against its trials and the forge judge: what is caught, what is charged twice.

A good boss catches every impostor with a trial of the criterion that owns its fault, and charges the fault to that
criterion alone. Any other criterion that falls is *spill*: the same fault is charged twice.
"""

from evalforge.model.base import Frozen
from evalforge.model.exact_numbers import Score


class RightResult(Frozen):
    """The result of a right program.

    Attributes:
        name: The program's name.
        trials: How many trials were run.
        failed: Titles of trials that failed on it: they demand more than the contract.
    """

    name: str
    trials: int
    failed: tuple[str, ...]


class WrongResult(Frozen):
    """The result of a wrong program.

    Attributes:
        id: The program's id.
        owner: The criterion that owns its fault.
        is_impostor: Whether tests and trials can catch it; else it is a fault of structure or build.
        expected: The owner's level according to the rubric.
        given: The owner's level according to the forge judge.
        noticed_by: Number of the owner's trials that fail.
        spill: The levels, by criterion, of other criteria that fall below those of the right program.
        lost: Levels lost relative to the right program, by criterion; criteria that lose none are left out.
        turns_tests_red: Whether tests of a right program fail on it. That isn't spill, so it is counted separately.
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
        """Whether its owner falls below the right program's level."""
        return self.owner in self.lost

    @property
    def is_missed(self) -> bool:
        """Whether it is an impostor that no trial of its owner catches: a gap in the trials."""
        return self.is_impostor and self.noticed_by == 0


class ImpostorMatrix(Frozen):
    """All programs of one boss.

    Attributes:
        criteria: Ids of the criteria that judge the program; those only about its tests are left out.
        right: Its right programs.
        wrong: Its impostors, then its faults.
    """

    boss_id: str
    criteria: tuple[str, ...]
    right: tuple[RightResult, ...]
    wrong: tuple[WrongResult, ...]

    @property
    def is_sound(self) -> bool:
        """Whether right programs pass every trial and every impostor is caught by its owner."""
        return not any(program.failed for program in self.right) and not any(
            program.is_missed for program in self.wrong
        )

    @property
    def charges_each_once(self) -> bool:
        """Whether every fault lowers its owner and no other criterion."""
        return all(program.is_charged and not program.spill for program in self.wrong)
