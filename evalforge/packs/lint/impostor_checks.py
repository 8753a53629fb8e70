"""Checks of the impostors as written: programs exist, changes fit, and every section of the contract is broken once."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from textwrap import shorten

from evalforge.model.errors import PackError
from evalforge.model.rubric import BossRubric
from evalforge.packs.contract_clauses import contract_sections, statements, states
from evalforge.packs.document import read_document, read_text
from evalforge.packs.impostors import Impostor, Impostors, PlantedFault, plant
from evalforge.packs.issue import Issue, issue_from_error
from evalforge.packs.known_mistakes import FILE, KnownMistakes, signature_key
from evalforge.packs.lint.unchecked_pack import PackFile, UncheckedPack
from evalforge.packs.path_checks import is_file, is_folder

MIN_RIGHT = 2
_MAX_QUOTED_CHARS = 48
_REMEDY = "`evalforge check` measures them"


def check_impostors(pack: UncheckedPack) -> Iterator[Issue]:
    """Yield everything wrong with a pack's impostors that can be found without running them."""
    if pack.impostors is None:
        return
    yield from _right_programs(pack.path, pack.impostors)
    for location, wrong in located_faults(pack.impostors):
        for message in _wrong_labels(pack, wrong):
            yield pack.impostors.issue(location, f"{wrong.id}: {message}")
    yield from _unbroken_sections(pack, pack.impostors)
    yield from _core(pack.impostors)
    yield from _criteria_without_faults(pack, pack.impostors)


def impostor_faults(pack: UncheckedPack) -> Iterator[Issue]:
    """Yield what would run tests on other programs than intended: changes that don't fit, or repeated ids.

    If a right program is missing, tests don't run on its impostors, so nobody is charged for missing them.
    """
    if pack.impostors is None:
        return
    for location, wrong in located_faults(pack.impostors):
        for message in _planting_faults(pack.path, pack.impostors.value, wrong):
            yield pack.impostors.issue(location, f"{wrong.id}: {message}")
    yield from _repeated_ids(pack.impostors)


def located_faults(part: PackFile[Impostors]) -> Iterator[tuple[tuple[str, int], PlantedFault]]:
    """Yield every impostor and every other fault with its location in the file."""
    kinds: tuple[tuple[str, tuple[PlantedFault, ...]], ...] = (
        ("impostors", part.value.impostors),
        ("faults", part.value.faults),
    )
    for kind, entries in kinds:
        for index, wrong in enumerate(entries):
            yield (kind, index), wrong


def _right_programs(folder: Path, part: PackFile[Impostors]) -> Iterator[Issue]:
    right = len(part.value.right)
    if right < MIN_RIGHT:
        yield part.issue(("right",), f"right programs: {right}; write at least {MIN_RIGHT} of different design")
    for index, program in enumerate(part.value.right):
        if bool(program.exemplar) == bool(program.folder):
            yield part.issue(("right", index), f"{program.name}: name either an exemplar or a folder")
        elif not is_folder(program.path(folder)):
            yield part.issue(("right", index), f"{program.name}: {program.path(folder)} isn't a folder")


def _planting_faults(folder: Path, impostors: Impostors, wrong: PlantedFault) -> Iterator[str]:
    right = impostors.right_program(wrong.of)
    if right is None:
        yield f"there is no right program called {wrong.of!r}"
        return
    if not is_folder(right.path(folder)):
        return
    try:
        plant(_changed_files(right.path(folder), wrong), wrong)
    except PackError as error:
        yield error.message


def _wrong_labels(pack: UncheckedPack, wrong: PlantedFault) -> Iterator[str]:
    if pack.rubric is not None:
        yield from _owner(pack.rubric.value, wrong)
    if pack.boss is not None and isinstance(wrong, Impostor):
        yield from _clause(pack.boss.value.metadata.contract, wrong)


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


def _repeated_ids(part: PackFile[Impostors]) -> Iterator[Issue]:
    ids_so_far: set[str] = set()
    for wrong in part.value.wrong:
        if wrong.id in ids_so_far:
            yield part.issue((), f"two programs are called {wrong.id!r}")
        ids_so_far.add(wrong.id)


def _unbroken_sections(pack: UncheckedPack, part: PackFile[Impostors]) -> Iterator[Issue]:
    if pack.boss is None:
        return
    covered = {impostor.clause for impostor in part.value.impostors} | set(part.value.unjudged)
    for section in _places_left(pack.boss.value.metadata.contract, covered):
        message = f"no impostor breaks the {section}; list it as unjudged if nothing there can be broken"
        yield part.issue((), message, is_problem=False)


def _places_left(contract: str, covered: set[str]) -> Iterator[str]:
    """The sections of a contract that are not covered; if it has no headings, its paragraphs."""
    headings = [section.heading for section in contract_sections(contract)]
    yield from (f"section {heading}" for heading in headings if heading not in covered)
    for statement in () if headings else statements(contract):
        if not statement.startswith(tuple(covered)):
            yield f"paragraph “{shorten(statement, _MAX_QUOTED_CHARS, placeholder=' ...')}”"


def _core(part: PackFile[Impostors]) -> Iterator[Issue]:
    ids = {impostor.id for impostor in part.value.impostors}
    for index, name in enumerate(part.value.core):
        if name not in ids:
            yield part.issue(("core", index), f"there is no impostor called {name!r}")


def _criteria_without_faults(pack: UncheckedPack, part: PackFile[Impostors]) -> Iterator[Issue]:
    """Yield criteria that own no wrong program; those that only judge the player's tests need none."""
    if pack.rubric is None or pack.rules is None:
        return
    owners = {wrong.owner for wrong in part.value.wrong}
    for criterion in pack.rubric.value.criteria:
        if criterion.id not in owners and not pack.rules.value.is_about_tests(criterion.id):
            message = f"no impostor and no fault is owned by {criterion.id}: nothing shows what it can detect"
            yield part.issue((), message, is_problem=False)


def check_known_mistakes(pack: UncheckedPack) -> Iterator[Issue]:
    """Yield a note if known mistakes are out of date, and one for each group that no trial distinguishes."""
    path = pack.path / FILE
    if pack.impostors is None or not is_file(path):
        return
    try:
        mistakes = read_document(path).parse(KnownMistakes)
        is_valid = mistakes.measured_with == signature_key(pack.path)
    except PackError as error:
        yield issue_from_error(error)
        return
    except OSError:  # another check says what can't be read
        return
    if not is_valid:
        message = f"trials, impostors or right programs have changed since, so no mistake is named: {_REMEDY} anew"
        yield Issue(path, None, message, is_problem=False)
        return
    alike = defaultdict[tuple[tuple[str, str], ...], list[tuple[int, Impostor]]](list)
    for index, impostor in enumerate(pack.impostors.value.impostors):
        signature = mistakes.signatures.get(impostor.id, {})
        if signature:
            alike[tuple(sorted(signature.items()))].append((index, impostor))
    for group in alike.values():
        if len({impostor.fault for _, impostor in group}) > 1:
            names = " and ".join(impostor.id for _, impostor in group)
            message = f"no trial distinguishes {names}: they fail alike, so only their clause is named"
            yield pack.impostors.issue(("impostors", group[-1][0]), message, is_problem=False)
