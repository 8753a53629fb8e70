"""The content of a lesson: submissions named by letters, so that names reveal nothing, and three ghosts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from string import ascii_uppercase

from evalforge.app.teaching.lesson_steps import Step, steps_of
from evalforge.model.errors import PackError, UsageError
from evalforge.model.rubric import BossRubric
from evalforge.packs.gold import Gold, read_gold
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import folder_fault

STRENGTHS = ("weak", "middling", "strong")
_EXEMPLAR_NAMES = {"weak": "weak", "middling": "borderline", "strong": "flawless"}
"""The names of exemplars of each strength in packs that follow the convention."""


@dataclass(frozen=True)
class ShownSubmission:
    """A submission that is shown.

    Attributes:
        name: The exemplar's or folder's name; hidden until the verdict, because it may reveal how good it is.
        path: Its folder.
        gold: The levels that careful readers gave it, if known.
    """

    name: str
    path: Path
    gold: Gold | None = None

    @property
    def total(self) -> float:
        """The sum of its gold levels."""
        return sum(self.gold.levels.values()) if self.gold else 0


@dataclass(frozen=True)
class Lesson:
    """One boss's rubric, the submissions that the audience judges, and the ghosts that fight at the end."""

    pack: BossPack
    submissions: tuple[ShownSubmission, ...]
    ghosts: tuple[ShownSubmission, ...] = ()

    @property
    def rubric(self) -> BossRubric:
        """The rubric being taught."""
        return self.pack.rubric

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All steps, in order."""
        ids = [criterion.id for criterion in self.rubric.criteria]
        return steps_of(ids, hand_ins=len(self.submissions), ghosts=bool(self.ghosts))

    @cached_property
    def all_submissions(self) -> tuple[ShownSubmission, ...]:
        """Everything that has to be judged, once each, in the order in which it is needed."""
        return tuple({submission.path: submission for submission in (*self.submissions, *self.ghosts)}.values())

    def strength(self, index: int) -> str:
        """The name of a ghost."""
        return (STRENGTHS if len(self.ghosts) == len(STRENGTHS) else ("weaker", "stronger"))[index]


def letter(index: int) -> str:
    """The name of a submission while its quality is hidden."""
    return ascii_uppercase[index] if index < len(ascii_uppercase) else str(index + 1)


def make_lesson(pack: BossPack, exemplars: Sequence[str] = (), hand_ins: Sequence[Path] = ()) -> Lesson:
    """Plan a lesson on a boss's rubric.

    Args:
        pack: The boss.
        exemplars: Names of exemplars to show; the middling one if neither exemplars nor folders are given.
        hand_ins: Other folders to show after them.

    Raises:
        UsageError: There is no such exemplar or folder, or nothing to show at all.
    """
    graded = tuple(shown_submission(path) for path in pack.exemplars)
    exemplar_by_name = {exemplar.name: exemplar for exemplar in graded}
    for name in exemplars:
        if name not in exemplar_by_name:
            raise UsageError(
                f"{pack.boss_id} has no exemplar called {name!r}.",
                f"Exemplars: {', '.join(exemplar_by_name) or 'none'}.",
            )
    for folder in hand_ins:
        if fault := folder_fault(folder):
            raise UsageError(f"--hand-in {folder} {fault}.")
    ghosts = ghosts_of(graded)
    submissions = [exemplar_by_name[name] for name in exemplars]
    submissions += [ShownSubmission(folder.absolute().name, folder.absolute()) for folder in hand_ins]
    if not submissions:
        submissions = [ghosts[len(ghosts) // 2]] if ghosts else list(graded[:1])
    if not submissions:
        raise UsageError(f"{pack.boss_id} has no exemplars to show.", "Show a folder: --hand-in DIR")
    return Lesson(pack, tuple(submissions), ghosts)


def shown_submission(path: Path) -> ShownSubmission:
    """Read an exemplar; if its gold can't be read, it is shown without."""
    try:
        return ShownSubmission(path.name, path, read_gold(path))
    except PackError:
        return ShownSubmission(path.name, path)


def ghosts_of(submissions: Sequence[ShownSubmission]) -> tuple[ShownSubmission, ...]:
    """Choose a weak, a middling and a strong one by their gold; none if there are fewer than two."""
    graded = sorted((exemplar for exemplar in submissions if exemplar.gold), key=lambda exemplar: exemplar.total)
    if not graded:
        return ()
    by_name = {exemplar.name: exemplar for exemplar in graded}
    weak = by_name.get(_EXEMPLAR_NAMES["weak"], graded[0])
    strong = by_name.get(_EXEMPLAR_NAMES["strong"], graded[-1])
    half = (weak.total + strong.total) / 2
    between = [exemplar for exemplar in graded if exemplar not in (weak, strong)]
    middling = by_name.get(_EXEMPLAR_NAMES["middling"]) or min(
        between, key=lambda exemplar: abs(exemplar.total - half), default=weak
    )
    ghosts = tuple({exemplar.path: exemplar for exemplar in (weak, middling, strong)}.values())
    return ghosts if len(ghosts) > 1 else ()
