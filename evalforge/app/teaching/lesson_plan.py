"""A lesson: its submissions, named by letters so that names reveal nothing, its steps, and the room's guesses."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from string import ascii_uppercase

from evalforge.app.ui.text.formatting import plural
from evalforge.model.errors import PackError, UsageError
from evalforge.model.number_format import format_number
from evalforge.model.rubric import BossRubric, Criterion
from evalforge.packs.gold import Gold, read_gold
from evalforge.packs.pack import BossPack
from evalforge.packs.path_checks import folder_fault

_DIGITS = range(10)


class Guesses:
    """The guesses of a lesson; they are not stored."""

    def __init__(self) -> None:
        self._guesses: dict[tuple[int, str], list[float]] = {}

    def count(self, hand_in: int, criterion_id: str, score: float) -> None:
        """Count one more guess of a level."""
        self._guesses.setdefault((hand_in, criterion_id), []).append(score)

    def take_back(self, hand_in: int, criterion_id: str) -> None:
        """Remove the last guess of a criterion."""
        guesses = self._guesses.get((hand_in, criterion_id))
        if guesses:
            guesses.pop()

    def tally(self, hand_in: int, criterion_id: str) -> Counter[float]:
        """The number of guesses of each level."""
        return Counter(self._guesses.get((hand_in, criterion_id), ()))


def level_keys(criterion: Criterion) -> dict[str, float]:
    """The digit that guesses each level: its score if scores are digits, else its position from the lowest."""
    scores = [level.score for level in criterion.levels]
    digits = all(float(score).is_integer() and int(score) in _DIGITS for score in scores)
    return {
        (format_number(score) if digits else str(position)): score
        for position, score in enumerate(scores)
        if digits or position < 10
    }


def most_guessed(tally: Mapping[float, int]) -> tuple[float, ...]:
    """The most guessed levels; several if they are tied, none without guesses."""
    most = max(tally.values(), default=0)
    return tuple(sorted(score for score, count in tally.items() if count == most)) if most else ()


def describe_guesses(tally: Mapping[float, int], judged_score: float) -> str:
    """Compare the audience's guesses with the judged level."""
    count, right = sum(tally.values()), tally.get(judged_score, 0)
    if not count:
        return ""
    if count == 1:
        return "The room guessed it." if right else f"The room guessed {format_number(most_guessed(tally)[0])}."
    if right == count:
        return f"All {count} in the room said so."
    return (
        f"{right or 'Nobody'} of {count} in the room said so."
        if right
        else f"{plural(count, 'guess', 'guesses')}, none of them."
    )


class StepKind(StrEnum):
    """What one step of a lesson shows."""

    MISSION = "mission"
    CONTRACT = "contract"
    CRITERION = "criterion"
    HAND_IN = "hand-in"
    GUESS = "guess"
    REVEAL = "reveal"
    VERDICT = "verdict"
    GHOSTS = "ghosts"


@dataclass(frozen=True)
class Step:
    """One step of a lesson: what is shown, of which submission or criterion.

    Attributes:
        kind: What it shows.
        criterion: The index of the criterion in the rubric; -1 if there is none.
        hand_in: The index of the submission; -1 if there is none.
        revealed: How many criteria of the submission (or of every ghost) are revealed once this step is shown.
    """

    kind: StepKind
    criterion: int = -1
    hand_in: int = -1
    revealed: int = 0

    @property
    def chapter(self) -> str:
        """The key that groups steps of one chapter."""
        if self.kind in (StepKind.MISSION, StepKind.CONTRACT):
            return "mission"
        if self.kind is StepKind.CRITERION:
            return "rubric"
        return "ghosts" if self.kind is StepKind.GHOSTS else f"hand-in {self.hand_in}"


def steps_of(criteria: Sequence[str], hand_ins: int, *, ghosts: bool) -> tuple[Step, ...]:
    """The mission, every criterion, every submission criterion by criterion, and the ghosts."""
    count = len(criteria)
    steps = [
        Step(StepKind.MISSION),
        Step(StepKind.CONTRACT),
        *(Step(StepKind.CRITERION, index) for index in range(count)),
    ]
    for hand_in in range(hand_ins):
        steps.append(Step(StepKind.HAND_IN, hand_in=hand_in))
        for index in range(count):
            steps.append(Step(StepKind.GUESS, index, hand_in, revealed=index))
            steps.append(Step(StepKind.REVEAL, index, hand_in, revealed=index + 1))
        steps.append(Step(StepKind.VERDICT, hand_in=hand_in, revealed=count))
    if ghosts:
        steps += [Step(StepKind.GHOSTS, index - 1, revealed=index) for index in range(count + 1)]
    return tuple(steps)


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
