"""Two evaluations: paired on the items in both, and better only if it exceeds the threshold and the noise."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalforge.evaluate.compare import Comparison, ComparisonVerdict, compare
from evalforge.evaluate.evaluation import (
    Evaluation,
    EvaluationOutcome,
    ItemResult,
    ItemState,
    JudgeFingerprint,
    Spending,
)
from evalforge.evaluate.evaluation_store import find_result, read_result
from evalforge.model.errors import UsageError


def made(name: str, scores: list[float | None], **more: Any) -> Evaluation:
    items = tuple(
        ItemResult(item_id=f"i{n}", state=ItemState.SCORED, fields={"score": score})
        if score is not None
        else ItemResult(item_id=f"i{n}", state=ItemState.MISSING)
        for n, score in enumerate(scores)
    )
    given = {
        "id": name, "spec": "s", "rubric_hash": "r", "outcome": EvaluationOutcome.JUDGED, "primary": "mean_score",
        "minimum_improvement": 0.3, "sample_seed": 42, "items": items, "metrics": {"ambiguous_rate": 0.0},
        "instrument": JudgeFingerprint(rubric_hash="r", prompt_hash="p", model="m"), "started_at": "",
        "finished_at": "", "cost": Spending(usd=0, total_usd=0, cap_usd=5), **more,
    }  # fmt: skip
    return Evaluation.model_validate(given)


def compared(before: list[float | None], after: list[float | None], **more: Any) -> Comparison:
    return compare(made("a", before, **more), made("b", after, **more))


STEADY = [3.0, 2.0, 4.0, 3.0, 2.0, 3.0, 4.0, 2.0]


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        ([score + 1 for score in STEADY], ComparisonVerdict.IMPROVED),
        ([score - 1 for score in STEADY], ComparisonVerdict.REGRESSED),
        (STEADY, ComparisonVerdict.INCONCLUSIVE),
        ([score + 0.3 for score in STEADY], ComparisonVerdict.INCONCLUSIVE),
        ([score + 0.31 for score in STEADY], ComparisonVerdict.IMPROVED),
        # More on average than is asked for, but it could be noise.
        ([5.0, 1.0, 5.0, 5.0, 1.0, 5.0, 5.0, 1.0], ComparisonVerdict.INCONCLUSIVE),
    ],
)
def test_a_difference_counts_beyond_threshold_and_noise(after: list[float | None], verdict: ComparisonVerdict) -> None:
    assert compared(list(STEADY), after).verdict is verdict


def test_less_is_better_where_the_spec_says_so() -> None:
    found = compared(list(STEADY), [score - 1 for score in STEADY], direction="minimize")
    assert (found.verdict, found.better, found.worse) == (ComparisonVerdict.IMPROVED, 8, 0)


def test_only_items_both_have_are_compared() -> None:
    found = compared([1.0, 2.0, None, 4.0], [2.0, 3.0, 5.0, None])
    assert (found.pairs, found.only_before, found.only_after) == (2, 1, 1)
    assert (found.before_mean, found.after_mean, found.difference) == (1.5, 2.5, 1.0)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"metrics": {"ambiguous_rate": 0.31}}, "unsure of 31% of the items"),
        ({"instrument": JudgeFingerprint(rubric_hash="r", prompt_hash="p", model="other")}, "different models judged"),
        ({"instrument": JudgeFingerprint(rubric_hash="r", prompt_hash="q", model="m")}, "words around the rubric"),
    ],
)
def test_another_rubric_or_an_unsure_judge_concludes_nothing(more: dict[str, Any], reason: str) -> None:
    found = compare(made("a", list(STEADY)), made("b", [score + 1 for score in STEADY], **more))
    assert found.verdict is ComparisonVerdict.INCONCLUSIVE
    assert reason in "; ".join(found.reasons)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"rubric_hash": "x"}, "different rubrics"),
        ({"primary": "mean_depth"}, "b about mean_depth"),
        ({"outcome": EvaluationOutcome.ERROR, "reason": "It broke."}, "b has no scores to compare"),
        ({"outcome": EvaluationOutcome.DEGENERATE}, "outcome is degenerate"),
    ],
)
def test_what_cannot_be_compared_is_refused(more: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        compare(made("a", [1.0]), made("b", [1.0], **more))


def test_one_pair_concludes_nothing() -> None:
    assert compared([1.0], [5.0]).verdict is ComparisonVerdict.INCONCLUSIVE


def test_results_are_found_by_file_and_folder(tmp_path: Path) -> None:
    found = made("a", [1.0])
    (tmp_path / "result.json").write_text(found.model_dump_json())
    assert find_result(str(tmp_path)) == find_result(str(tmp_path / "result.json")) == found
    (tmp_path / "other.json").write_text(json.dumps({"kind": "evaluation"}))
    with pytest.raises(UsageError, match="not the result of an evaluation"):
        read_result(tmp_path / "other.json")
    with pytest.raises(UsageError, match="no evaluation called 'nothing'"):
        find_result("nothing")
