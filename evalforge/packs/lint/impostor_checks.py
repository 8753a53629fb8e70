"""Checks of the impostors as written: programs exist, changes fit, and every section of the contract is broken once."""

from collections.abc import Iterator
from pathlib import Path
from textwrap import shorten

from evalforge.model.errors import PackError
from evalforge.model.rubric import BossRubric
from evalforge.packs.contract_clauses import contract_sections, statements, states
from evalforge.packs.document import read_text
from evalforge.packs.impostors import Impostor, Impostors, PlantedFault, plant
from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.unchecked_pack import PackFile, UncheckedPack
from evalforge.packs.path_checks import is_file, is_folder

MIN_RIGHT = 2
MIN_IMPOSTORS = 20
_MAX_QUOTED_CHARS = 48


def check_impostors(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Yield everything wrong with a pack's impostors that can be found without running them."""
    if draft.impostors is None:
        return
    yield from impostor_faults(draft)
    yield from _right_programs(draft.path, draft.impostors)
    yield from _counts(draft.impostors)
    for location, wrong in _located(draft.impostors):
        for message in _wrong_labels(draft, wrong):
            yield draft.impostors.issue(location, f"{wrong.id}: {message}")
    yield from _unbroken_sections(draft, draft.impostors)
    yield from _core_faults(draft.impostors)
    yield from _criteria_without_faults(draft, draft.impostors)


def impostor_faults(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Yield what would run tests on other programs than intended: changes that don't fit, or repeated ids.

    If a right program is missing, tests don't run on its impostors, so nobody is charged for missing them.
    """
    if draft.impostors is None:
        return
    for location, wrong in _located(draft.impostors):
        for message in _planting_faults(draft.path, draft.impostors.value, wrong):
            yield draft.impostors.issue(location, f"{wrong.id}: {message}")
    yield from _repeated_ids(draft.impostors)


def _located(part: PackFile[Impostors]) -> Iterator[tuple[tuple[str, int], PlantedFault]]:
    """Yield every wrong program with its location in the file."""
    kinds: tuple[tuple[str, tuple[PlantedFault, ...]], ...] = (
        ("impostors", part.value.impostors),
        ("faults", part.value.faults),
    )
    for kind, entries in kinds:
        for index, wrong in enumerate(entries):
            yield (kind, index), wrong


def _counts(part: PackFile[Impostors]) -> Iterator[LintIssue]:
    right, impostors = len(part.value.right), len(part.value.impostors)
    if right < MIN_RIGHT:
        yield part.issue(("right",), f"right programs: {right}; write at least {MIN_RIGHT} of different design")
    if impostors < MIN_IMPOSTORS:
        message = f"impostors: {impostors}; write at least {MIN_IMPOSTORS}"
        yield part.issue(("impostors",), message, is_problem=False)


def _right_programs(pack: Path, part: PackFile[Impostors]) -> Iterator[LintIssue]:
    for index, program in enumerate(part.value.right):
        if bool(program.exemplar) == bool(program.folder):
            yield part.issue(("right", index), f"{program.name}: name either an exemplar or a folder")
        elif not is_folder(program.path(pack)):
            yield part.issue(("right", index), f"{program.name}: {program.path(pack)} isn't a folder")


def _planting_faults(pack: Path, impostors: Impostors, wrong: PlantedFault) -> Iterator[str]:
    right = impostors.right_program(wrong.of)
    if right is None:
        yield f"there is no right program called {wrong.of!r}"
        return
    if not is_folder(right.path(pack)):
        return
    try:
        plant(_changed_files(right.path(pack), wrong), wrong)
    except PackError as error:
        yield error.message


def _wrong_labels(draft: UncheckedPack, wrong: PlantedFault) -> Iterator[str]:
    if draft.rubric is not None:
        yield from _owner(draft.rubric.value, wrong)
    if draft.boss is not None and isinstance(wrong, Impostor):
        yield from _clause(draft.boss.value.metadata.contract, wrong)


def _changed_files(folder: Path, wrong: PlantedFault) -> dict[str, str]:
    return {change.file: read_text(folder / change.file) for change in wrong.change if is_file(folder / change.file)}


def _owner(rubric: BossRubric, wrong: PlantedFault) -> Iterator[str]:
    criterion = next((criterion for criterion in rubric.criteria if criterion.id == wrong.owner), None)
    if criterion is None:
        yield f"the rubric has no criterion {wrong.owner!r}"
    elif wrong.level not in [level.score for level in criterion.levels]:
        yield f"{wrong.owner} has no level {wrong.level}"


def _clause(contract: str, wrong: Impostor) -> Iterator[str]:
    headings = [section.heading for section in contract_sections(contract)]
    if headings and wrong.clause not in headings:
        yield f"the contract has no section {wrong.clause!r}"
    elif not headings and not any(line.startswith(wrong.clause) for line in contract.splitlines()):
        yield f"no line of the contract begins with {wrong.clause!r}"
    if not states(contract, wrong.says):
        yield "`says` must quote the contract word for word"


def _repeated_ids(part: PackFile[Impostors]) -> Iterator[LintIssue]:
    ids_so_far: set[str] = set()
    for wrong in part.value.wrong:
        if wrong.id in ids_so_far:
            yield part.issue((), f"two programs are called {wrong.id!r}")
        ids_so_far.add(wrong.id)


def _unbroken_sections(draft: UncheckedPack, part: PackFile[Impostors]) -> Iterator[LintIssue]:
    if draft.boss is None:
        return
    covered = {impostor.clause for impostor in part.value.impostors} | set(part.value.unjudged)
    for section in _places_left(draft.boss.value.metadata.contract, covered):
        message = f"no impostor breaks the {section}; list it as unjudged if nothing there can be broken"
        yield part.issue((), message, is_problem=False)


def _places_left(contract: str, covered: set[str]) -> Iterator[str]:
    """The sections of a contract that are not covered; if it has no headings, its paragraphs."""
    headings = [section.heading for section in contract_sections(contract)]
    yield from (f"section {heading}" for heading in headings if heading not in covered)
    for statement in () if headings else statements(contract):
        if not statement.startswith(tuple(covered)):
            yield f"paragraph “{shorten(statement, _MAX_QUOTED_CHARS, placeholder=' ...')}”"


def _core_faults(part: PackFile[Impostors]) -> Iterator[LintIssue]:
    """Yield unknown ids in the core, and the sections and criteria that impostors cover but those of the core don't."""
    listed = part.value
    ids = {impostor.id for impostor in listed.impostors}
    for index, name in enumerate(listed.core):
        if name not in ids:
            yield part.issue(("core", index), f"there is no impostor called {name!r}")
    core = listed.in_a_fight().impostors
    for clause in dict.fromkeys(impostor.clause for impostor in listed.impostors):
        if clause not in {impostor.clause for impostor in core}:
            yield part.issue(("core",), f"no impostor of the core breaks {clause}", is_problem=False)
    for owner in dict.fromkeys(impostor.owner for impostor in listed.impostors):
        if owner not in {impostor.owner for impostor in core}:
            yield part.issue(("core",), f"no impostor of the core is charged to {owner}", is_problem=False)


def _criteria_without_faults(draft: UncheckedPack, part: PackFile[Impostors]) -> Iterator[LintIssue]:
    """Yield criteria that own no wrong program; those that only judge the player's tests need none."""
    if draft.rubric is None or draft.rules is None:
        return
    owners = {wrong.owner for wrong in part.value.wrong}
    for criterion in draft.rubric.value.criteria:
        if criterion.id not in owners and not draft.rules.value.is_about_tests(criterion.id):
            message = f"no impostor and no fault is owned by {criterion.id}: nothing shows what it can detect"
            yield part.issue((), message, is_problem=False)
