"""The impostors as they are written: programs that exist, changes that fit, every section of a contract broken once."""

from collections.abc import Iterator
from pathlib import Path

from evalforge.model.errors import PackError
from evalforge.model.rubric import BossRubric
from evalforge.packs.document import read_text
from evalforge.packs.impostors import (
    Impostor,
    Impostors,
    PlantedFault,
    plant,
    sections,
    states,
)
from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.unchecked_pack import PackFile, UncheckedPack
from evalforge.packs.path_checks import is_file, is_folder

MIN_RIGHT = 2
MIN_IMPOSTORS = 20


def check_impostors(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Everything that can be said of a pack's impostors without running them."""
    if draft.impostors is None:
        return
    listed = draft.impostors.value
    yield from _counts(draft.impostors)
    yield from _right_programs(draft.path, draft.impostors)
    for kind in ("impostors", "faults"):
        entries: tuple[PlantedFault, ...] = getattr(listed, kind)
        for index, wrong in enumerate(entries):
            for message in _wrong_program(draft, listed, wrong):
                yield draft.impostors.issue((kind, index), f"{wrong.id}: {message}")
    yield from _repeated_ids(draft.impostors)
    yield from _unbroken_sections(draft, draft.impostors)
    yield from _criteria_without_faults(draft, draft.impostors)


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
            yield part.issue(("right", index), f"{program.name}: {program.path(pack)} is no folder")


def _wrong_program(draft: UncheckedPack, listed: Impostors, wrong: PlantedFault) -> Iterator[str]:
    right = listed.right_program(wrong.of)
    if right is None:
        yield f"there is no right program called {wrong.of!r}"
    else:
        try:
            plant(_changed_files(right.path(draft.path), wrong), wrong)
        except PackError as error:
            yield error.message
    if draft.rubric is not None:
        yield from _owner(draft.rubric.value, wrong)
    if draft.boss is not None and isinstance(wrong, Impostor):
        yield from _clause(draft.boss.value.metadata.contract, wrong)


def _changed_files(folder: Path, wrong: PlantedFault) -> dict[str, str]:
    return {change.file: read_text(folder / change.file) for change in wrong.change if is_file(folder / change.file)}


def _owner(rubric: BossRubric, wrong: PlantedFault) -> Iterator[str]:
    criterion = next((each for each in rubric.criteria if each.id == wrong.owner), None)
    if criterion is None:
        yield f"the rubric has no criterion {wrong.owner!r}"
    elif wrong.level not in [level.score for level in criterion.levels]:
        yield f"{wrong.owner} has no level {wrong.level}"


def _clause(contract: str, wrong: Impostor) -> Iterator[str]:
    headings = sections(contract)
    if headings and wrong.clause not in headings:
        yield f"the contract has no section {wrong.clause!r}"
    if not states(contract, wrong.says):
        yield "`says` is not in the contract, word for word"


def _repeated_ids(part: PackFile[Impostors]) -> Iterator[LintIssue]:
    ids_so_far: set[str] = set()
    for wrong in part.value.wrong:
        if wrong.id in ids_so_far:
            yield part.issue((), f"two programs are called {wrong.id!r}")
        ids_so_far.add(wrong.id)


def _unbroken_sections(draft: UncheckedPack, part: PackFile[Impostors]) -> Iterator[LintIssue]:
    if draft.boss is None:
        return
    broken = {impostor.clause for impostor in part.value.impostors} | set(part.value.unjudged)
    for heading in sections(draft.boss.value.metadata.contract):
        if heading not in broken:
            message = f"no impostor breaks the section {heading}; list it as unjudged if nothing there can be wrong"
            yield part.issue((), message, is_problem=False)


def _criteria_without_faults(draft: UncheckedPack, part: PackFile[Impostors]) -> Iterator[LintIssue]:
    """Criteria that no wrong program is made for; those that only judge the player's tests need none."""
    if draft.rubric is None or draft.rules is None:
        return
    owners = {wrong.owner for wrong in part.value.wrong}
    for criterion in draft.rubric.value.criteria:
        if criterion.id not in owners and not draft.rules.value.is_about_tests(criterion.id):
            message = f"no impostor and no fault is owned by {criterion.id}: nothing shows what it can see"
            yield part.issue((), message, is_problem=False)
