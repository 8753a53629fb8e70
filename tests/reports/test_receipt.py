"""Receipts: the same judging gives the same code, and no part can change unnoticed."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.model.attempt import Attempt
from evalforge.model.result import JudgeInfo, Verdict
from evalforge.reports.receipt import audit, make_receipt, receipt_of
from tests.reports.attempts import attempt, attempts, row_of

words = st.text(max_size=20)


def _sealed(one: Attempt) -> tuple[str, str]:
    receipt = receipt_of(one)
    assert receipt is not None
    return receipt.sha256, receipt.code


def test_a_code_is_four_groups_of_four() -> None:
    _, code = _sealed(attempt(2, 1))
    assert re.fullmatch(r"([A-Z2-7]{4}-){3}[A-Z2-7]{4}", code)


@given(attempts)
def test_an_attempt_that_was_not_touched_matches(one: Attempt) -> None:
    assert audit(one, row_of(one), receipt_of(one)) == ()


@given(words, words, words, words)
def test_parts_can_not_trade_places(content: str, rubric: str, other_content: str, other_rubric: str) -> None:
    judge, result = {"name": "forge"}, {"boss_id": "straw"}
    same = (content, rubric) == (other_content, other_rubric)
    assert (
        make_receipt(content, rubric, judge, result) == make_receipt(other_content, other_rubric, judge, result)
    ) is same


WHOLE = attempt(2, 1)
assert WHOLE.result is not None
CHANGES = {
    "submission": {"submission": attempt(2, 1, files={"main.py": "x = 2\n"}).submission},
    "notes": {"submission": WHOLE.submission.model_copy(update={"notes": "please"})},
    "rubric": {"rubric_hash": "fedcba9876543210"},
    "judge": {"judge": JudgeInfo(name="claude", model="m", version="1")},
    "judge's version": {"judge": JudgeInfo(name="forge", version="2")},
    "total": {"result": WHOLE.result.model_copy(update={"score_total": 4})},
    "verdict": {"result": WHOLE.result.model_copy(update={"verdict": Verdict.STRONG_PASS})},
    "summary": {"result": WHOLE.result.model_copy(update={"summary": "Best ever."})},
    "comment": {
        "result": WHOLE.result.model_copy(
            update={
                "criteria": (WHOLE.result.criteria[0].model_copy(update={"comment": "!"}), WHOLE.result.criteria[1])
            }
        )
    },
}


@pytest.mark.parametrize("name", CHANGES)
def test_any_part_that_changes_changes_the_receipt_and_is_named(name: str) -> None:
    changed = WHOLE.model_copy(update=CHANGES[name])
    assert _sealed(changed)[1] != _sealed(WHOLE)[1]
    part = {"notes": "submission", "judge's version": "judge"}.get(name, name)
    part = part if part in ("submission", "rubric", "judge") else "result"
    assert part in [problem.part for problem in audit(changed, row_of(WHOLE), receipt_of(WHOLE))]


def test_what_stands_beside_the_judging_is_not_sealed() -> None:
    moved = WHOLE.model_copy(update={"directory": "/elsewhere", "id": "other"})
    assert _sealed(moved) == _sealed(WHOLE)


def test_a_line_in_the_list_that_shows_another_score_is_noticed() -> None:
    row = row_of(WHOLE).model_copy(update={"score_total": 4.0})
    assert [problem.part for problem in audit(WHOLE, row, receipt_of(WHOLE))] == ["list"]


def test_events_that_end_otherwise_are_noticed() -> None:
    other = WHOLE.model_copy(update={"events": attempt(2, 2).events})
    assert [problem.part for problem in audit(other, row_of(WHOLE), receipt_of(WHOLE))] == ["events"]


def test_without_a_stored_receipt_nothing_is_vouched_for() -> None:
    assert [problem.part for problem in audit(WHOLE, row_of(WHOLE), None)] == ["receipt"]
