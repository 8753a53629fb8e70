"""The tour's script: the views, and a few words about each."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evalforge.app.teaching.lesson_plan import ShownSubmission, ghosts_of, shown_submission
from evalforge.packs.pack import BossPack

_FIRST_WIN = "first-win"
_WORDS_PER_SECOND = 2.6
_LOOKING_SECONDS = 3.5


class TourView(StrEnum):
    """What a stop of the tour shows."""

    ROSTER = "roster"
    CONTRACT = "contract"
    RUBRIC = "rubric"
    STRIKE = "strike"
    BAR = "bar"
    EVIDENCE = "evidence"
    SECOND_TRY = "again"
    END = "end"


@dataclass(frozen=True)
class TourStop:
    """One stop: its view, its name, and its text."""

    view: TourView
    title: str
    text: str

    @property
    def seconds(self) -> float:
        """How long a person looks at it during automatic play."""
        return _LOOKING_SECONDS + len(self.text.split()) / _WORDS_PER_SECOND


STOPS = (
    TourStop(
        TourView.ROSTER,
        "The roster",
        "Every line is a boss: something worth building. The icon before its name shows your progress. "
        "Nothing is locked; begin where you like.",
    ),
    TourStop(
        TourView.CONTRACT,
        "The contract",
        "Exactly what to build, in a folder of your own, with your own editor. It is complete: the hidden "
        "trials test nothing else.",
    ),
    TourStop(
        TourView.RUBRIC,
        "The rubric",
        "How it is judged: a few criteria, each with levels in plain words. Levels are added up, and the sum decides.",
    ),
    TourStop(
        TourView.STRIKE,
        "The strike",
        "Somebody submits a first attempt. It runs in a sandbox, trial after trial; then each criterion strikes for "
        "what it reached.",
    ),
    TourStop(
        TourView.BAR,
        "The bar",
        "The gold part is the damage so far, criterion by criterion. At the mark, you pass and the boss falls.",
    ),
    TourStop(
        TourView.EVIDENCE,
        "The evidence",
        "No point without its reason: the level, the line of code, the trial that saw it, and what the next level "
        "needs.",
    ),
    TourStop(
        TourView.SECOND_TRY,
        "The next attempt",
        "After some work, the same folder is submitted again. The game shows what improved, level by level. Past the "
        "mark, the boss falls.",
    ),
    TourStop(
        TourView.END,
        "Your turn",
        "That is the whole game; nothing was saved. Start with a test if you like: evalforge impostors shows "
        "which wrong programs it catches.",
    ),
)


def two_tries(pack: BossPack) -> tuple[ShownSubmission, ShownSubmission] | None:
    """A first attempt and a better one, from the boss's own exemplars; None if it doesn't have two."""
    graded = [submission for path in pack.exemplars if (submission := shown_submission(path)).gold]
    ghosts = ghosts_of(graded)
    if not ghosts:
        return None
    return ghosts[0], next((exemplar for exemplar in graded if exemplar.name == _FIRST_WIN), ghosts[-1])


def most_instructive(findings: Sequence[tuple[str, bool]]) -> str:
    """The criterion whose evidence shows the most.

    Args:
        findings: Criterion ids in rubric order, with whether any evidence points at a line of code.
    """
    return next((name for name, has_line in findings if has_line), findings[0][0])
