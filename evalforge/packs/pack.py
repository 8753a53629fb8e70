"""A boss pack: loaded, checked and hashed."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, RootModel

from evalforge.model.boss import BossCodex, BossDefinition
from evalforge.model.errors import PackError
from evalforge.model.level_rules import MEASURED_IF_ASKED, LevelRules
from evalforge.model.rubric import BossRubric
from evalforge.packs.document import Document, read_document, read_text
from evalforge.packs.fingerprint import files_below, framed, framed_files, short_hash
from evalforge.packs.impostors import FOLDER as IMPOSTORS_FOLDER
from evalforge.packs.known_mistakes import KnownMistake, known_mistakes_of
from evalforge.packs.path_checks import boss_file, folders_in, is_file, pack_file
from evalforge.packs.release import is_for_students

M = TypeVar("M", bound=BaseModel)


class Hints(RootModel[dict[str, tuple[str, ...]]]):
    """Three hints for each criterion, from nudge to worked pattern."""


@dataclass(frozen=True)
class BossPack:
    """A complete, valid pack.

    Attributes:
        path: Its folder.
        definition: What players have to build.
        rubric: The criteria with their levels.
        codex: What players read about the boss.
        rules: Which facts earn which level; empty in a pack for students.
        is_for_students: Whether it lacks the parts that judge.
    """

    path: Path
    definition: BossDefinition
    rubric: BossRubric
    codex: BossCodex
    rules: LevelRules
    is_for_students: bool = False

    @property
    def boss_id(self) -> str:
        """The boss's id, which names its folder too."""
        return self.definition.boss_id

    @property
    def entry_file(self) -> str:
        """The file name by which a program is started; empty if any name will do."""
        return next(iter(self.definition.metadata.entry_files), "")

    @property
    def trials(self) -> Path:
        """The folder of hidden trials."""
        return self.path / "trials"

    @property
    def starter(self) -> Path:
        """The folder that `evalforge new` copies."""
        return self.path / "starter"

    @property
    def exemplars(self) -> tuple[Path, ...]:
        """The folders of submissions with gold levels."""
        return folders_in(self.path / "exemplars")

    @cached_property
    def rubric_hash(self) -> str:
        """SHA-256 of everything that decides scores: rubric, rules, trials and their data; 16 hex digits."""
        models = (self.rubric.model_dump_json().encode(), self.rules.model_dump_json().encode())
        # Not framed by length, so that packs with all trials in one folder keep their old hash.
        programs = (_named(self.trials, path) for path in sorted(self.trials.rglob("*.py")))
        # Data files come last, so that packs without any keep their old hash.
        data_files = (path for path in files_below(self.trials) if path.suffix != ".py")
        data = (framed(path.relative_to(self.trials).as_posix(), path.read_bytes()) for path in data_files)
        # Impostors affect scores; packs without any keep their old hash.
        return short_hash(*models, *programs, *data, *framed_files(self.path / IMPOSTORS_FOLDER))

    @cached_property
    def known_mistakes(self) -> tuple[KnownMistake, ...]:
        """The impostors with what the trials say about each; none if that was measured with other files."""
        return known_mistakes_of(self.path)

    @property
    def trials_hash(self) -> str:
        """SHA-256 of what a program alone is asked: trials, the boss's id, its entry files; 16 hex digits.

        Some facts are only measured where the rules ask for them, so these checks belong to it.
        """
        asked = {fact: sorted(self.rules.checks_of(fact)) for fact in MEASURED_IF_ASKED}
        asked_words = "".join(f"{fact}{checks}" for fact, checks in asked.items() if checks)
        header = f"{self.boss_id}\0{self.definition.metadata.entry_files}\0{asked_words}".encode()
        return short_hash(header, *framed_files(self.trials))


def _named(folder: Path, path: Path) -> bytes:
    return path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape") + b"\0" + path.read_bytes()


def load_pack(path: Path) -> BossPack:
    """Load a pack from its folder.

    Raises:
        PackError: Something is missing or wrong; names file, line and reason, with all other errors in ``further``.
    """
    faults: list[PackError] = []
    boss = _read_model(boss_file(path) or path / "boss.yaml", BossDefinition, faults)
    rubric = _read_model(pack_file(path, "rubric"), BossRubric, faults)
    for_students = is_for_students(path)
    rules = LevelRules({}) if for_students else _read_rules(path, rubric[1] if rubric else None, faults)
    codex = _load_codex(path, boss[1].boss_id if boss else "", faults)
    if faults or boss is None or rubric is None or rules is None or codex is None:
        raise PackError.of_all(faults)
    return BossPack(path, boss[1], rubric[1], codex, rules, for_students)


def _read_rules(path: Path, rubric: BossRubric | None, faults: list[PackError]) -> LevelRules | None:
    """Read the rules of a pack, adding errors in them and in its folder of trials to ``faults``."""
    rules = _read_model(pack_file(path, "evidence"), LevelRules, faults)
    if rubric is not None and rules is not None:
        faults += rule_errors(rules[0], rubric, rules[1])
    faults += _trial_faults(path / "trials")
    return rules[1] if rules else None


def _trial_faults(folder: Path) -> list[PackError]:
    try:
        has_trials = any(folder.glob("test_*.py"))
    except OSError as error:
        return [PackError(folder, None, f"can't be read ({error.strerror})")]
    return [] if has_trials else [PackError(folder, None, "a boss needs at least one trial file named test_*.py")]


def _read_model(path: Path, model: type[M], faults: list[PackError]) -> tuple[Document, M] | None:
    """Read a file of the pack; if it is invalid, add its errors to ``faults`` and return None."""
    try:
        document = read_document(path)
        return document, document.parse(model)
    except PackError as error:
        faults += (error, *error.further)
        return None


def _load_codex(pack: Path, boss_id: str, faults: list[PackError]) -> BossCodex | None:
    folder = pack / "codex"
    try:
        tiers = {
            name: read_text(folder / f"{name}.md") if is_file(folder / f"{name}.md") else ""
            for name in ("lore", "attacks", "strategy")
        }
        hints = pack_file(folder, "hints")
        hints_by_criterion = read_document(hints).parse(Hints).root if is_file(hints) else {}
        return BossCodex(boss_id=boss_id, hints=hints_by_criterion, **tiers)
    except PackError as error:
        faults += (error, *error.further)
        return None


def rule_errors(document: Document, rubric: BossRubric, rules: LevelRules) -> Iterator[PackError]:
    """Yield an error for each criterion or level that only one of rules and rubric has.

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
                yield PackError(document.path, line, f"no rule says what earns level {level.score} of {criterion.id}")
