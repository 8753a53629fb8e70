"""The type of a decoy, and how decoys are combined."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalforge.decoys.decoy_program import DecoyProgram


@dataclass(frozen=True)
class Decoy:
    """A change that makes no program better, whatever the boss.

    Attributes:
        trick: What it does, worded to follow "can be bought by".
        apply: Changes a program; returns None if there is nothing to change.
    """

    trick: str
    apply: Callable[[DecoyProgram], DecoyProgram | None]


def combine(decoys: Sequence[Decoy]) -> Decoy:
    """Combine decoys into one, skipping those that don't apply."""

    def apply_all(program: DecoyProgram) -> DecoyProgram | None:
        changed: DecoyProgram | None = None
        for decoy in decoys:
            changed = decoy.apply(changed or program) or changed
        return changed

    return Decoy(" together with ".join(decoy.trick for decoy in decoys), apply_all)
