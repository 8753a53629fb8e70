"""Impostors: programs that ship with a boss and keep its contract, or break it in one place.

``impostors/impostors.yaml`` of a pack lists *right* programs (an exemplar, or a folder beside the file) and wrong ones,
each a right one with a few exact lines replaced. *Impostors* break the contract, so tests can notice them; *faults* lie
where no test looks, in structure or build. A sample:

    right:
      - {name: flawless, exemplar: flawless, design: "One class, each rule a function."}
    unjudged: [NEVER TESTED]
    core: [second-reversal]
    impostors:
      - id: second-reversal
        of: flawless
        owner: history
        level: 1
        clause: ERRORS
        says: "a second reversal, under another id, of the same transaction"
        fault: "A transaction can be reversed a second time under another id."
        riddle: "It gives back what it has given back before."
        change:
          - {file: ledger.py, old: "if again:", new: "if False:"}
"""

from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

from evalforge.model.base import Frozen
from evalforge.model.errors import PackError
from evalforge.model.exact_numbers import Score
from evalforge.packs.document import read_document
from evalforge.packs.fingerprint import files_below
from evalforge.packs.path_checks import boss_file, is_file, pack_file

FOLDER = "impostors"


class RightProgram(Frozen):
    """A program that keeps the contract.

    Attributes:
        name: What wrong programs call it.
        exemplar: The exemplar it is; empty if it has a folder of its own.
        folder: Its folder below ``impostors/``; empty if it is an exemplar.
        design: In one sentence, how it is built.
    """

    name: str
    exemplar: str = ""
    folder: str = ""
    design: str

    def path(self, pack: Path) -> Path:
        """The folder its files lie in."""
        return pack / "exemplars" / self.exemplar if self.exemplar else pack / FOLDER / self.folder


class Replacement(Frozen):
    """A change to one file: ``old`` occurs in it exactly once, ``new`` takes its place. Final line ends don't count."""

    file: str
    old: str
    new: str


class PlantedFault(Frozen):
    """A right program with one fault.

    Attributes:
        id: Its name in kebab case.
        of: The right program that is changed.
        owner: The criterion that owns the fault, by the rubric's words.
        level: The owner's level with this fault alone.
        fault: What is wrong, in one sentence.
        change: The lines that make it wrong.
    """

    id: str
    of: str
    owner: str
    level: Score
    fault: str
    change: tuple[Replacement, ...] = Field(min_length=1)


class Impostor(PlantedFault):
    """A planted fault that breaks the contract.

    Attributes:
        clause: Heading of the contract's section.
        says: The contract's own words that are broken.
        riddle: What a player reads whose tests let it through.
    """

    clause: str
    says: str
    riddle: str


class Impostors(Frozen):
    """The content of a pack's ``impostors.yaml``.

    Attributes:
        right: Programs that keep the contract.
        unjudged: Sections of the contract about which there is nothing to get wrong.
        core: Ids of the impostors that tests meet in a fight; of all if empty. The share of these that a suite unmasks
            is close to its share of all, in half the time.
        impostors: Programs that break it, where tests can notice.
        faults: Programs with a fault that no test can notice.
    """

    right: tuple[RightProgram, ...] = Field(min_length=1)
    unjudged: tuple[str, ...] = ()
    core: tuple[str, ...] = ()
    impostors: tuple[Impostor, ...] = ()
    faults: tuple[PlantedFault, ...] = ()

    @property
    def wrong(self) -> tuple[PlantedFault, ...]:
        """All wrong programs, impostors first."""
        return (*self.impostors, *self.faults)

    def in_a_fight(self) -> "Impostors":
        """The same with no impostors but those of the core, if there is one."""
        core = tuple(impostor for impostor in self.impostors if impostor.id in self.core)
        return self.model_copy(update={"impostors": core}) if self.core else self

    def right_program(self, name: str) -> RightProgram | None:
        """A right program by its name."""
        return next((program for program in self.right if program.name == name), None)


def impostors_file(pack: Path) -> Path:
    """Where a pack's impostors are listed; the file need not exist."""
    return pack_file(pack / FOLDER, "impostors")


def read_impostors(pack: Path) -> Impostors | None:
    """Read a pack's impostors; None if it has none.

    Raises:
        PackError: The file can't be used; names file, line and reason.
    """
    path = impostors_file(pack)
    return read_document(path).parse(Impostors) if is_file(path) else None


def broken_words(pack: Path) -> dict[str, str]:
    """The contract's own words that each impostor of a pack breaks, by its id; empty if the pack has none.

    Raises:
        PackError: The file can't be used.
    """
    impostors = read_impostors(pack)
    return {impostor.id: impostor.says for impostor in impostors.impostors} if impostors else {}


def measuring_files(pack: Path) -> dict[str, Path]:
    """What measuring a submission needs of a pack, by relative path: its trials, and the programs its tests meet."""
    impostors = read_impostors(pack)
    exemplars = [program.path(pack) for program in impostors.right if program.exemplar] if impostors else []
    folders = (pack / "trials", pack / FOLDER, pack / "starter", *exemplars)
    files = [path for folder in folders for path in files_below(folder)]
    files += [path for path in (boss_file(pack),) if path is not None]
    return {path.relative_to(pack).as_posix(): path for path in files}


def plant(files: Mapping[str, str], wrong: PlantedFault) -> dict[str, str]:
    """The files of a right program with a fault in them.

    Args:
        files: Content by relative path.
        wrong: What to change.

    Raises:
        PackError: A file isn't there, or ``old`` doesn't occur in it exactly once.
    """
    changed = dict(files)
    for change in wrong.change:
        if change.file not in changed:
            raise PackError(Path(change.file), None, f"{wrong.id} changes this file, but {wrong.of} has no such file")
        old, new = change.old.rstrip("\n"), change.new.rstrip("\n")
        count = changed[change.file].count(old)
        if count != 1:
            raise PackError(Path(change.file), None, f"{wrong.id} replaces lines that occur {count} times, not once")
        changed[change.file] = changed[change.file].replace(old, new)
    return changed
