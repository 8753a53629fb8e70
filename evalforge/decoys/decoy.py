"""What a decoy is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalforge.decoys.decoy_program import Program


@dataclass(frozen=True)
class Decoy:
    """A change that makes no program better, whatever the boss.

    Attributes:
        trick: What it does, as words after "can be bought by".
        apply: Changes a program; gives None where there is nothing to change.
    """

    trick: str
    apply: Callable[[Program], Program | None]


def combine(decoys: Sequence[Decoy]) -> Decoy:
    """All of some decoys at once, as far as they fit."""

    def apply_all(program: Program) -> Program | None:
        changed: Program | None = None
        for decoy in decoys:
            changed = decoy.apply(changed or program) or changed
        return changed

    return Decoy(" together with ".join(decoy.trick for decoy in decoys), apply_all)
