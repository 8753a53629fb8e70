"""One boss pack: loaded, checked, hashed."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import RootModel

from evalforge.model.boss import BossCodex, BossDefinition
from evalforge.model.errors import PackError
from evalforge.model.level_rules import LevelRules
from evalforge.model.rubric import BossRubric
from evalforge.packs.document import Document, read_document, read_text
from evalforge.packs.fingerprint import files_below, framed, framed_files, short_hash
from evalforge.packs.impostors import FOLDER as IMPOSTORS_FOLDER
from evalforge.packs.path_checks import boss_file, folders_in, is_file, pack_file


class Hints(RootModel[dict[str, tuple[str, ...]]]):
    """Three hints for each criterion, nudge to worked pattern."""


@dataclass(frozen=True)
class BossPack:
    """A pack that can be used. ``warnings`` are for its author."""

    path: Path
    definition: BossDefinition
    rubric: BossRubric
    codex: BossCodex
    rules: LevelRules
    warnings: tuple[str, ...] = ()

    @property
    def boss_id(self) -> str:
        """The boss's id, which names its folder too."""
        return self.definition.boss_id

    @property
    def trials(self) -> Path:
        """The folder of hidden trials."""
        return self.path / "trials"

    @property
    def starter(self) -> Path:
        """The folder `evalforge new` copies."""
        return self.path / "starter"

    @property
    def exemplars(self) -> tuple[Path, ...]:
        """Folders of submissions with gold levels."""
        return folders_in(self.path / "exemplars")

    @cached_property
    def rubric_hash(self) -> str:
        """SHA-256 of everything that decides scores: rubric, rules, trials and their data; 16 hex digits."""
        models = (self.rubric.model_dump_json().encode(), self.rules.model_dump_json().encode())
        # Not framed by length, so that packs whose trials lie in one folder keep their hash.
        programs = (_named(self.trials, path) for path in sorted(self.trials.rglob("*.py")))
        # Data files come last, so that packs without any keep their hash.
        data_files = (path for path in files_below(self.trials) if path.suffix != ".py")
        data = (framed(path.relative_to(self.trials).as_posix(), path.read_bytes()) for path in data_files)
        # Impostors decide what the tests are worth; without any a pack keeps its hash as well.
        return short_hash(*models, *programs, *data, *framed_files(self.path / IMPOSTORS_FOLDER))

    @property
    def trials_hash(self) -> str:
        """SHA-256 of trials, impostors, the boss's id and its entry files, on which facts depend; 16 hex digits."""
        header = f"{self.boss_id}\0{self.definition.metadata.entry_files}\0".encode()
        return short_hash(header, *framed_files(self.trials), *framed_files(self.path / IMPOSTORS_FOLDER))


def _named(folder: Path, path: Path) -> bytes:
    return path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape") + b"\0" + path.read_bytes()


def load_pack(path: Path) -> BossPack:
    """Load a pack from its folder.

    Raises:
        PackError: Something in it is missing or wrong; names file, line and reason.
    """
    definition_document = read_document(boss_file(path) or path / "boss.yaml")
    definition = definition_document.parse(BossDefinition)
    rubric_document = read_document(pack_file(path, "rubric"))
    rubric = rubric_document.parse(BossRubric)
    rules_document = read_document(pack_file(path, "evidence"))
    rules = rules_document.parse(LevelRules)
    if error := next(rule_errors(rules_document, rubric, rules), None):
        raise error
    if not any((path / "trials").glob("test_*.py")):
        raise PackError(path / "trials", None, "a boss needs at least one trial file named test_*.py")
    return BossPack(
        path=path,
        definition=definition,
        rubric=rubric,
        codex=_load_codex(path, definition.boss_id),
        rules=rules,
        warnings=tuple(_warnings(rubric_document, rubric)),
    )


def _load_codex(pack: Path, boss_id: str) -> BossCodex:
    folder = pack / "codex"
    tiers = {
        name: read_text(folder / f"{name}.md") if is_file(folder / f"{name}.md") else ""
        for name in ("lore", "attacks", "strategy")
    }
    hints = pack_file(folder, "hints")
    hints_by_criterion = read_document(hints).parse(Hints).root if is_file(hints) else {}
    return BossCodex(boss_id=boss_id, hints=hints_by_criterion, **tiers)


def rule_errors(document: Document, rubric: BossRubric, rules: LevelRules) -> Iterator[PackError]:
    """Criteria and levels that the level rules or the rubric have and the other lacks.

    Args:
        document: The file of the rules.
        rubric: The pack's rubric.
        rules: The pack's rules.
    """
    criteria = {criterion.id: criterion for criterion in rubric.criteria}
    for criterion_id, steps in rules.root.items():
        if criterion_id not in criteria:
            line = document.line_of((criterion_id,))
            yield PackError(document.path, line, f"the rubric has no criterion {criterion_id!r}")
            continue
        for index, step in enumerate(steps):
            try:
                criteria[criterion_id].level(step.level)
            except KeyError as error:
                line = document.line_of((criterion_id, index, "level"))
                yield PackError(document.path, line, str(error.args[0]))
    for criterion in rubric.criteria:
        for level in criterion.levels[1:]:
            if level.score not in [step.level for step in rules.of(criterion.id)]:
                line = document.line_of((criterion.id,))
                yield PackError(
                    document.path, line, f"nothing here says what earns level {level.score} of {criterion.id}"
                )


def _warnings(document: Document, rubric: BossRubric) -> list[str]:
    stated = rubric.overall.max_score
    if stated is None or stated == rubric.max_score:
        return []
    line = document.line_of(("overall", "max_score"))
    return [
        f"{document.path}:{line}: max_score is {stated}, but the levels add up to {rubric.max_score}; the sum counts"
    ]
