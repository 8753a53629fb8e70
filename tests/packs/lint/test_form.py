"""Lint notes levels that form alone may earn: tests that notice nothing, functions beside an unlimited rest."""

from pathlib import Path

import pytest

from evalforge.packs.lint.lint import lint
from evalforge.packs.new_folders import create_pack
from tests.command_line import run

NAMES = '{fact: tests.failure_cases, check: ">= 3", otherwise: "Too few refusals are tested."}'
FUNCTIONS = '{fact: code.functions, check: ">= 3", otherwise: "There are too few functions."}'
NO_TESTS = (
    '{any: [{fact: tests.empty, check: "== 0"}, {fact: tests.count, check: "== 0"}], otherwise: "Some are empty."}'
)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return create_pack("toll-gate", tmp_path)


def notes(pack: Path, criterion: str, *conditions: str) -> list[tuple[int, str]]:
    """Line and words of the notes on a level with these conditions, lines counted from the first one."""
    path = pack / "evidence.yaml"
    text = path.read_text("utf-8")
    start = text.index(f"\n{criterion}:") + 1
    end = text.find("\n\n", start)
    lines = "".join(f"      - {each}\n" for each in conditions)
    rules = f"{criterion}:\n  - level: 1\n    requires:\n{lines}"
    path.write_text(text[:start] + rules + (text[end:] if end >= 0 else ""), "utf-8")
    first_line = text[:start].count("\n") + 4
    issues = [issue for issue in lint(pack) if "may be bought by form alone" in issue.message]
    assert not any(issue.is_problem for issue in issues)
    assert {issue.path for issue in issues} <= {path}
    return [((issue.line or 0) - first_line, issue.message) for issue in issues]


def test_names_of_tests_earn_a_level_by_form_alone(pack: Path) -> None:
    ((line, message),) = notes(pack, "proof", NO_TESTS, NAMES)
    assert line == 1
    assert "level 1 of proof" in message
    assert "tests.failure_cases >= 3 is met by tests that catch nothing" in message
    assert "Ask for tests.unmasked or tests.noticed as well" in message


@pytest.mark.parametrize(
    "condition",
    [
        '{fact: tests.unmasked, check: ">= 0.4", otherwise: "Too little is noticed."}',
        '{fact: tests.vacuous, check: "== false", otherwise: "Nothing is looked at."}',
        '{any: [{fact: tests.noticed, check: ">= 0.4"}, {fact: tests.count, check: "< 3"}], otherwise: "Too little."}',
    ],
    ids=["unmasked", "vacuous", "noticed where there is enough"],
)
def test_tests_that_must_notice_something_are_not_noted(pack: Path, condition: str) -> None:
    assert notes(pack, "proof", NAMES, condition) == []


def test_an_alternative_that_notices_nothing_is_the_cheaper_one(pack: Path) -> None:
    either = '{any: [{fact: tests.unmasked, check: ">= 0.4"}, {fact: tests.asserts, check: ">= 9"}], otherwise: "Few."}'
    ((_, message),) = notes(pack, "proof", either)
    assert "tests.asserts >= 9 is met by tests that catch nothing" in message


def test_functions_without_a_limit_earn_a_level_by_form_alone(pack: Path) -> None:
    ((line, message),) = notes(pack, "parts", FUNCTIONS)
    assert line == 0
    assert "code.functions >= 3 is met by adding code" in message
    assert "such as code.longest_function" in message


@pytest.mark.parametrize(
    "condition",
    [
        '{fact: code.longest_function, check: "<= 40", otherwise: "It is too long."}',
        '{fact: trials.plain, check: "== 1.0", otherwise: "It is wrong."}',
    ],
    ids=["a limit", "trials"],
)
def test_functions_beside_a_limit_or_trials_are_not_noted(pack: Path, condition: str) -> None:
    assert notes(pack, "parts", FUNCTIONS, condition) == []


def test_code_that_can_be_read_is_no_limit(pack: Path) -> None:
    readable = '{fact: code.syntax_errors, check: "== 0", otherwise: "Python can not read it."}'
    assert len(notes(pack, "parts", readable, FUNCTIONS)) == 1


def test_a_note_is_printed_as_one_and_spoils_nothing(pack: Path) -> None:
    notes(pack, "proof", NAMES)
    ended = run("lint", pack, "--fast")
    assert ended.returncode == 0
    assert "note: level 1 of proof may be bought by form alone" in ended.stdout


def test_no_shipped_level_rests_on_form_alone(bosses: Path) -> None:
    issues = [issue for boss in sorted(bosses.iterdir()) for issue in lint(boss)]
    assert [issue for issue in issues if "by form alone" in issue.message] == []
