"""A reason as lines: one order for every medium, blanks that can be counted, what differs by itself."""

import pytest

from evalforge.model.reason import Example, Reason
from evalforge.reports.markdown import reason_markdown
from evalforge.reports.reason_lines import reason_lines, visible

REASON = Reason(
    cause="Some names come out changed.",
    remarks=("Close to “whole”.",),
    failed=3,
    total=7,
    examples=(
        Example(trial="Blanks stay.", called="dummy.py 'a  b'", expected="'a  b'", got="'a b'", path="d.py", line=4),
    ),
    holds="Plain names come out whole.",
    advice="Print NAME as it is.",
)


def test_a_reason_has_one_order() -> None:
    assert [(line.role, line.name, line.text) for line in reason_lines(REASON)] == [
        ("cause", "", "Some names come out changed. 3 of 7 trials fail."),
        ("remark", "", "Close to “whole”."),
        ("trial", "", "Blanks stay."),
        ("row", "called", "dummy.py 'a··b'"),
        ("row", "expected", "'a··b'"),
        ("row", "got", "'a b'"),
        ("row", "ended at", "d.py:4"),
        ("more", "", "and 2 more"),
        ("holds", "", "Plain names come out whole."),
        ("advice", "", "Print NAME as it is."),
    ]


def test_what_differs_stands_by_itself() -> None:
    rows = {line.name: line.runs for line in reason_lines(REASON) if line.name}
    assert rows["expected"] == (("'a·", False), ("·", True), ("b'", False))
    assert rows["got"] == (("'a ", False), ("b'", False))


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a b", "a b"), ("a  b", "a··b"), (" a ", "·a·"), ("a\tb\n", "a→b↵"), ("a \n b", "a·↵·b"), ("", "")],
)
def test_blanks_can_be_counted(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_reason_in_markdown_quotes_what_came() -> None:
    assert list(reason_markdown(REASON)) == [
        "Some names come out changed. 3 of 7 trials fail.",
        "",
        "Close to “whole”.",
        "",
        "- Blanks stay.",
        "  - called: `dummy.py 'a··b'`",
        "  - expected: `'a··b'`",
        "  - got: `'a b'`",
        "  - ended at: `d.py:4`",
        "- and 2 more",
        "",
        "**Good:** Plain names come out whole.",
        "",
        "**Next:** Print NAME as it is.",
    ]


def test_a_reason_without_examples_is_its_cause() -> None:
    assert [line.role for line in reason_lines(Reason(cause="All is right."))] == ["cause"]
