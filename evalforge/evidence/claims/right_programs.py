"""The programs of a boss that keep its contract, for comparison with claims."""

from dataclasses import dataclass

from evalforge.evidence.claims.contract import judged_contract
from evalforge.evidence.suite.impostors import PROGRAMS_NEED, ImpostorSource
from evalforge.evidence.suite.planting import read_program
from evalforge.model.submission import Submission
from evalforge.packs.impostors import read_impostors


@dataclass(frozen=True)
class RightPrograms:
    """The programs and the contract that claims are compared with.

    Attributes:
        programs: The programs that keep the contract; none if the boss has none, or if they can't run here.
        contract: The contract, without what it leaves open.
        entry_files: The names by which a program may be started.
    """

    programs: tuple[Submission, ...]
    contract: str
    entry_files: tuple[str, ...]


def right_programs(source: ImpostorSource, version: tuple[int, ...]) -> RightPrograms:
    """The right programs of a boss that run on an interpreter's version.

    Raises:
        PackError: The boss's impostors can't be read.
    """
    impostors = read_impostors(source.pack)
    if impostors is None or version < PROGRAMS_NEED:
        return RightPrograms((), "", source.entry_files)
    programs = tuple(Submission.of(read_program(source.pack, program)) for program in impostors.right)
    contract = judged_contract(source.contract, impostors.unjudged)
    return RightPrograms(programs, contract, source.entry_files)
