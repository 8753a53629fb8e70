"""A pack that may be broken: its readable files with line numbers, and issues for the others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

from evalforge.model.boss import BossDefinition
from evalforge.model.errors import PackError
from evalforge.model.level_rules import LevelRules
from evalforge.model.rubric import BossRubric
from evalforge.packs.document import Document, Location, read_document
from evalforge.packs.gold import GOLD_FILE, Gold
from evalforge.packs.impostors import Impostors, impostors_file
from evalforge.packs.issue import Issue, issue_from_error
from evalforge.packs.lint.trial_files import TrialFile, TrialSource, read_trials
from evalforge.packs.pack import Hints
from evalforge.packs.path_checks import boss_file, folders_in, is_file, pack_file

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class PackFile(Generic[M]):
    """A readable file of a pack: its document with line numbers, and the model built from it."""

    document: Document
    value: M

    def issue(self, location: Location, message: str, *, is_problem: bool = True) -> Issue:
        """An issue at a location in this file."""
        return Issue(self.document.path, self.document.line_of(location), message, is_problem)


@dataclass(frozen=True)
class UncheckedPack:
    """The files of a pack, None or missing if they can't be read; then ``issues`` say why."""

    path: Path
    boss: PackFile[BossDefinition] | None
    rubric: PackFile[BossRubric] | None
    rules: PackFile[LevelRules] | None
    hints: PackFile[Hints] | None
    golds: dict[str, PackFile[Gold]]
    impostors: PackFile[Impostors] | None
    trial_files: tuple[TrialFile, ...]
    issues: tuple[Issue, ...]

    @cached_property
    def trials(self) -> tuple[TrialSource, ...]:
        """All trials that can be read."""
        return tuple(trial for file in self.trial_files for trial in file.trials)

    @property
    def exemplars(self) -> tuple[Path, ...]:
        """The folders of the exemplars, with or without gold levels."""
        return tuple(path for path in folders_in(self.path / "exemplars") if not path.name.startswith("."))


class _Reader:
    def __init__(self) -> None:
        self.issues: list[Issue] = []

    def read(self, path: Path, model: type[M]) -> PackFile[M] | None:
        """Read a file; if it is invalid, return None and add an issue for each error."""
        try:
            document = read_document(path)
        except PackError as error:
            self.issues.append(issue_from_error(error, hides_others=True))
            return None
        errors = document.errors_for(model)
        self.issues += [issue_from_error(error, hides_others=True) for error in errors]
        return None if errors else PackFile(document, document.parse(model))

    def read_existing(self, paths: Iterable[Path], model: type[M]) -> Iterator[tuple[str, PackFile[M]]]:
        """Yield the files that exist and are valid, by the name of their folder."""
        for path in paths:
            pack_file = self.read(path, model) if is_file(path) else None
            if pack_file is not None:
                yield path.parent.name, pack_file


def read_unchecked_pack(path: Path) -> UncheckedPack:
    """Read as many files of a pack as possible; a broken pack raises nothing."""
    reader = _Reader()
    hints = pack_file(path / "codex", "hints")
    impostors = impostors_file(path)
    golds = sorted(folder / GOLD_FILE for folder in folders_in(path / "exemplars"))
    return UncheckedPack(
        path=path,
        boss=reader.read(boss_file(path) or path / "boss.yaml", BossDefinition),
        rubric=reader.read(pack_file(path, "rubric"), BossRubric),
        rules=reader.read(pack_file(path, "evidence"), LevelRules),
        hints=reader.read(hints, Hints),
        golds=dict(reader.read_existing(golds, Gold)),
        impostors=reader.read(impostors, Impostors) if is_file(impostors) else None,
        trial_files=read_trials(path / "trials"),
        issues=tuple(reader.issues),
    )
