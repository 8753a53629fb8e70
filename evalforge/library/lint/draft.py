"""A pack as its author left it: what can be read of it, with lines, and what can't."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

from evalforge.library.document import Document, Location, read_document
from evalforge.library.gold import GOLD_FILE, Gold
from evalforge.library.lint.remark import Remark, from_error
from evalforge.library.lint.trialfile import TrialFile, read_trials
from evalforge.library.looking import folders_in, is_file
from evalforge.library.pack import Hints, pack_file
from evalforge.library.summary import boss_file
from evalforge.model.boss import BossDefinition
from evalforge.model.errors import PackError
from evalforge.model.rubric import BossRubric
from evalforge.model.rules import LevelRules

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Part(Generic[M]):
    """One file of the pack that could be read."""

    document: Document
    value: M

    def remark(self, location: Location, message: str, *, is_problem: bool = True) -> Remark:
        """A remark on one place in the file."""
        return Remark(self.document.path, self.document.line_of(location), message, is_problem)


@dataclass(frozen=True)
class Draft:
    """What could be read of a pack; ``remarks`` say why the rest couldn't."""

    path: Path
    boss: Part[BossDefinition] | None
    rubric: Part[BossRubric] | None
    rules: Part[LevelRules] | None
    hints: Part[Hints] | None
    golds: dict[str, Part[Gold]]
    trials: tuple[TrialFile, ...]
    remarks: tuple[Remark, ...]

    @property
    def exemplars(self) -> tuple[Path, ...]:
        """Folders of exemplars, whether or not they have gold levels."""
        return tuple(path for path in folders_in(self.path / "exemplars") if not path.name.startswith("."))


class _Reader:
    def __init__(self) -> None:
        self.remarks: list[Remark] = []

    def read(self, path: Path, model: type[M]) -> Part[M] | None:
        """Read a file; what is wrong with it becomes remarks."""
        try:
            document = read_document(path)
        except PackError as error:
            self.remarks.append(from_error(error))
            return None
        misfits = document.misfits(model)
        self.remarks += map(from_error, misfits)
        return None if misfits else Part(document, document.parse(model))

    def present(self, paths: Iterable[Path], model: type[M]) -> Iterator[tuple[str, Part[M]]]:
        """Those files that are there and sound, by the name of their folder."""
        for path in paths:
            part = self.read(path, model) if is_file(path) else None
            if part is not None:
                yield path.parent.name, part


def read_draft(path: Path) -> Draft:
    """Read as much of a pack as can be read; never raises for a broken one."""
    reader = _Reader()
    hints = pack_file(path / "codex", "hints")
    golds = sorted(folder / GOLD_FILE for folder in folders_in(path / "exemplars"))
    return Draft(
        path=path,
        boss=reader.read(boss_file(path) or path / "boss.yaml", BossDefinition),
        rubric=reader.read(pack_file(path, "rubric"), BossRubric),
        rules=reader.read(pack_file(path, "evidence"), LevelRules),
        hints=reader.read(hints, Hints),
        golds=dict(reader.present(golds, Gold)),
        trials=read_trials(path / "trials"),
        remarks=tuple(reader.remarks),
    )
