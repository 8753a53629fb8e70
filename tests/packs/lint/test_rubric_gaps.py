"""Lint finds words of a rubric that leave two careful readers in doubt."""

from pathlib import Path

import pytest

from evalforge.packs.lint.issue import LintIssue
from evalforge.packs.lint.lint import lint
from evalforge.packs.new_folders import create_pack

PARTS = "Can the computation be called without running the program?"
STUMBLES = "It ends in a traceback, is skipped, is counted, or the count is printed all the same."
SAYS_WHERE = "It ends with status 2, a message on standard error naming the line's number, and empty output."
PIECE = "Reading, computing and printing share one function, or importing the file already reads input."


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return create_pack("toll-gate", tmp_path)


def notes(pack: Path, old: str, new: str) -> list[LintIssue]:
    """What lint notes of a rubric in which some words are others."""
    path = pack / "rubric.yaml"
    text = path.read_text("utf-8")
    assert old in text, f"the rubric lacks {old!r}"
    path.write_text(text.replace(old, new, 1), "utf-8")
    return [issue for issue in lint(pack) if issue.path == path]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (PIECE, "Most functions read and print, or importing reads input.", "says 'Most' without a number"),
        (PIECE, "Reading and printing largely share a function.", "says 'largely' without a number"),
        (STUMBLES, "Not every bad line ends with status 2.", "says 'every': one rare case weighs as much"),
        (
            STUMBLES,
            "It ends in a traceback. " + SAYS_WHERE,
            "levels 0 and 1 of refuses_words both say",
        ),
        (PIECE, "One function reads. But it prints, too.", "what to reach next: move it to lacks"),
        (PARTS, "Is it apart? What prints belongs to elegance.", "belongs to elegance', but no criterion"),
    ],
)
def test_words_that_do_not_decide_are_noted(pack: Path, old: str, new: str, words: str) -> None:
    found = notes(pack, old, new)
    assert [words in issue.message for issue in found] == [True]
    assert not found[0].is_problem


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (PIECE, "Most functions, that is more than half of them, read and print."),
        (PIECE, "Reading and adding up share at most two functions."),
        (STUMBLES, "Some kind of bad line is skipped; every kind (a word, a fraction, a sign) is tried."),
        (PARTS, "Is it apart? What is refused belongs to the counts."),
    ],
)
def test_words_that_decide_are_left_alone(pack: Path, old: str, new: str) -> None:
    assert notes(pack, old, new) == []


def test_two_criteria_that_judge_one_thing_are_noted(pack: Path) -> None:
    question = "What happens on a line that holds no whole number?"
    path = pack / "rubric.yaml"
    path.write_text(path.read_text("utf-8").replace(question, f"{question} Judge the totals printed."), "utf-8")
    found = notes(pack, PARTS, f"{PARTS} Judge totals.")
    assert ["parts and refuses_words both judge totals" in issue.message for issue in found] == [True]


def test_a_fault_given_to_one_of_two_criteria_is_settled(pack: Path) -> None:
    question = "What happens on a line that holds no whole number?"
    path = pack / "rubric.yaml"
    path.write_text(path.read_text("utf-8").replace(question, f"{question} Judge the totals printed."), "utf-8")
    settled = f"{PARTS} Judge totals. A total that is printed all the same belongs to refuses what is no number."
    assert notes(pack, PARTS, settled) == []
