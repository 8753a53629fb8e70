"""Right programs, which keep a boss's contract, and impostors, which break it in one place.

``impostors/impostors.yaml`` of a pack lists *right* programs (an exemplar, or a folder beside the file) and wrong ones,
each a right one with a few exact lines replaced. *Impostors* break the contract, so tests can catch them; *faults* are
where no test looks, such as in structure. A sample:

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
        name: The name by which wrong programs refer to it.
        exemplar: The exemplar's name; empty if the program has a folder of its own.
        folder: Its folder below ``impostors/``; empty if it is an exemplar.
        design: How it is built, in one sentence.
    """

    name: str
    exemplar: str = ""
    folder: str = ""
    design: str

    def path(self, pack: Path) -> Path:
        """The folder of its files."""
        return pack / "exemplars" / self.exemplar if self.exemplar else pack / FOLDER / self.folder


class Replacement(Frozen):
    """A change to one file: ``new`` replaces ``old``, which must occur exactly once. Final line ends don't count."""

    file: str
    old: str
    new: str


class PlantedFault(Frozen):
    """A right program with one fault.

    Attributes:
        id: Its name in kebab case.
        of: The right program that is changed.
        owner: The criterion that is charged for the fault, by the rubric's words.
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
        clause: The heading of the contract's section.
        says: The contract's own words that it breaks.
        riddle: What players read if their tests miss it.
        why: What the fault means for somebody who runs the program, in a sentence; empty if the level's rule says it.
    """

    clause: str
    says: str
    riddle: str
    why: str = ""


class Impostors(Frozen):
    """The content of a pack's ``impostors.yaml``.

    Attributes:
        right: Programs that keep the contract.
        unjudged: Sections of the contract in which nothing can be wrong.
        core: Ids of the impostors that are run in a fight; all are if empty. The share of these that tests catch is
            close to their share of all, in half the time.
        impostors: Programs that break the contract where tests can notice.
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
        """The same, but with only the core impostors, if there is a core."""
        core = tuple(impostor for impostor in self.impostors if impostor.id in self.core)
        return self.model_copy(update={"impostors": core}) if self.core else self

    def right_program(self, name: str) -> RightProgram | None:
        """Find a right program by name; None if there is none."""
        return next((program for program in self.right if program.name == name), None)


def impostors_file(pack: Path) -> Path:
    """The path of a pack's list of impostors; the file may not exist."""
    return pack_file(pack / FOLDER, "impostors")


def read_impostors(pack: Path) -> Impostors | None:
    """Read a pack's impostors; None if it has none.

    Raises:
        PackError: The file is invalid; names file, line and reason.
    """
    path = impostors_file(pack)
    return read_document(path).parse(Impostors) if is_file(path) else None


def broken_words(pack: Path) -> dict[str, str]:
    """The contract's own words that each impostor of a pack breaks, by its id; empty if the pack has none.

    Raises:
        PackError: The file is invalid.
    """
    impostors = read_impostors(pack)
    return {impostor.id: impostor.says for impostor in impostors.impostors} if impostors else {}


def measuring_files(pack: Path) -> dict[str, Path]:
    """The files that measuring a submission needs from a pack, by relative path: trials, and programs for its tests."""
    impostors = read_impostors(pack)
    exemplars = [program.path(pack) for program in impostors.right if program.exemplar] if impostors else []
    folders = (pack / "trials", pack / FOLDER, pack / "starter", *exemplars)
    files = [path for folder in folders for path in files_below(folder)]
    files += [path for path in (boss_file(pack),) if path is not None]
    return {path.relative_to(pack).as_posix(): path for path in files}


def plant(files: Mapping[str, str], wrong: PlantedFault) -> dict[str, str]:
    """The files of a right program after a fault is planted in them.

    Args:
        files: Content by relative path.
        wrong: The fault, with the lines to change.

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
