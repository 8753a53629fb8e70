"""Whole attempts for these tests, made without a database; and ways to vary them."""

from datetime import UTC, datetime

from hypothesis import strategies as st

from evalforge.model.attempt import Attempt, AttemptRow, AttemptState
from evalforge.model.events import CriterionJudged, Event, Judged, Started
from evalforge.model.evidence import TrialOutcome
from evalforge.model.result import JudgeInfo
from evalforge.model.scoring import score
from evalforge.model.submission import Submission
from evalforge.progress.records import AttemptSummary, Hint
from tests import factories

BEGAN = datetime(2026, 5, 4, 12, tzinfo=UTC)


def attempt(*scores: float, files: dict[str, str] | None = None, passed: int = 1, **more: object) -> Attempt:
    """A judged attempt with one criterion for each score; ``passed`` of its two trials passed."""
    opinion = factories.opinion(*scores)
    judged = Judged(
        result=score("straw", factories.rubric(*(2 for _ in scores)), opinion), judgements=opinion.judgements, at=0.5
    )
    events: tuple[Event, ...] = (
        Started(boss_id="straw", title="Straw", judge=factories.FORGE, isolation="full"),
        *(
            CriterionJudged(
                judgement=one,
                label=f"Criterion {one.criterion_id}",
                level_label=f"level {one.score}",
                max_score=2,
                at=0.4,
            )
            for one in opinion.judgements
        ),
        judged,
    )
    trials = tuple(
        factories.trial(
            "happy", TrialOutcome.PASSED if index < passed else TrialOutcome.FAILED, title=f"It holds {index}"
        )
        for index in range(2)
    )
    whole: dict[str, object] = {
        "id": "abcd2345",
        "boss_id": "straw",
        "boss_title": "Straw",
        "rubric_hash": "0123456789abcdef",
        "state": AttemptState.JUDGED,
        "started_at": BEGAN,
        "directory": "/d",
        "judge": JudgeInfo(name="forge", version="1"),
        "isolation": "full",
        "submission": Submission.of(files or {"main.py": "x = 1\n"}),
        "evidence": factories.evidence(trials, code__functions=len(files or {})),
        "judgements": opinion.judgements,
        "result": judged.result,
        "events": events,
    }
    return Attempt.model_validate({**whole, **more})


def row_of(one: Attempt) -> AttemptRow:
    """The line in lists that fits an attempt."""
    assert one.result is not None
    return AttemptRow(
        id=one.id,
        boss_id=one.boss_id,
        boss_title=one.boss_title,
        number=1,
        state=one.state,
        started_at=one.started_at,
        directory=one.directory,
        judge=one.judge.name,
        score_total=one.result.score_total,
        score_max=one.result.score_max,
        integrity=one.result.integrity,
        verdict=one.result.verdict.value,
        content_hash=one.submission.content_hash,
    )


texts = st.text(st.sampled_from("ab\n+-@ \u2028é"), max_size=60)
file_sets = st.dictionaries(st.sampled_from(["a.py", "b.py", "p/c.py"]), texts, min_size=1)
attempts = st.builds(
    lambda scores, files, passed: attempt(*scores, files=files, passed=passed),
    st.lists(st.integers(0, 2), min_size=1, max_size=4),
    file_sets,
    st.integers(0, 2),
)

_VERDICTS = {0: "fail", 1: "fail", 2: "fail", 3: "borderline", 4: "borderline", 5: "borderline", 6: "pass", 7: "pass"}


def deed(
    index: int, boss: str, total: int, judge: str = "forge", content: str = "", levels: str = "[]"
) -> AttemptSummary:
    """The deed number ``index`` of a history, with up to 8 points."""
    began = f"2026-01-01T{index // 60:02}:{index % 60:02}:00+00:00"
    verdict = _VERDICTS.get(total, "strong_pass")
    return AttemptSummary(
        f"id{index}", boss, boss.title(), index, began, judge, content or f"c{index}", total, 8, verdict, levels
    )


def deeds(*fights: tuple[str, int]) -> list[AttemptSummary]:
    """A history from (boss, total) pairs."""
    return [deed(index, boss, total) for index, (boss, total) in enumerate(fights)]


def hint(index: int, boss: str) -> Hint:
    """A hint read just before the deed number ``index``."""
    return Hint(boss, "c0", 1, f"2026-01-01T{(index - 1) // 60:02}:{(index - 1) % 60:02}:30+00:00")


histories = st.lists(st.tuples(st.sampled_from([f"b{n}" for n in range(14)]), st.integers(0, 8)), max_size=60).map(
    lambda fights: deeds(*fights)
)
