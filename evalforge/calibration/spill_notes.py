"""Lint notes on a boss's faults, read from what `evalforge calibrate BOSS --faults` measured last."""

from collections.abc import Iterator
from pathlib import Path

from evalforge.calibration.impostor_matrix import WrongResult
from evalforge.calibration.impostor_runs import cached_matrix
from evalforge.model.rubric import BossRubric
from evalforge.packs.impostors import Impostors
from evalforge.packs.issue import Issue
from evalforge.packs.lint.unchecked_pack import PackFile, read_unchecked_pack
from evalforge.packs.locations import bosses_option
from evalforge.packs.pack import BossPack


def spill_notes(pack: BossPack, state: Path) -> tuple[Issue, ...]:
    """Return notes on faults that nothing catches, that lower nothing, or that lower another criterion.

    Args:
        pack: A sound pack.
        state: EvalForge's state folder.
    """
    impostors_file = read_unchecked_pack(pack.path).impostors
    if impostors_file is None:
        return ()
    matrix = cached_matrix(pack, state)
    if matrix is None:
        message = "not measured since programs or trials changed: which criteria fall by which fault"
        command = f"evalforge calibrate {pack.boss_id} --faults{bosses_option(pack.path)}"
        return (impostors_file.issue((), f"{message}; run {command}", is_problem=False),)
    return tuple(_notes(pack.rubric, impostors_file, {wrong.id: wrong for wrong in matrix.wrong}))


def _notes(rubric: BossRubric, impostors_file: PackFile[Impostors], results: dict[str, WrongResult]) -> Iterator[Issue]:
    for kind in ("impostors", "faults"):
        for index, fault in enumerate(getattr(impostors_file.value, kind)):
            wrong = results.get(fault.id)
            for message in _messages(rubric, wrong) if wrong is not None else ():
                yield impostors_file.issue((kind, index), f"{fault.id}: {message}", is_problem=False)


def _messages(rubric: BossRubric, wrong: WrongResult) -> Iterator[str]:
    owner = rubric.criterion(wrong.owner).label
    if wrong.is_missed:
        yield f"no trial of {owner} fails on it"
    elif not wrong.is_charged:
        yield f"{owner} does not fall by it"
    for name in wrong.spill:
        yield f"{rubric.criterion(name).label} falls by it as well, though the fault is {owner}'s"
