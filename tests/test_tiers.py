"""The tests themselves: every tier has its files, and every name says its promise in a line."""

import ast
from pathlib import Path

import pytest

from tests.tiers import FAST, MEANINGS, TIERS, tier_of

TESTS = Path(__file__).resolve().parent
LONGEST_NAME = 59
# Not tests of ours: players' code, good and bad on purpose.
FOREIGN = {"blind", "fixtures", "submissions", "boss"}


def files() -> list[Path]:
    """Every file with tests, below ``tests/``."""
    paths = (path.relative_to(TESTS) for path in TESTS.rglob("test_*.py"))
    return sorted(path for path in paths if not FOREIGN & set(path.parts))


@pytest.mark.parametrize("tier", TIERS)
def test_every_place_of_a_tier_exists(tier: str) -> None:
    assert [place for place in TIERS[tier] if not (TESTS / place).exists()] == []


def test_every_tier_is_declared_and_has_files() -> None:
    assert set(MEANINGS) == {FAST, *TIERS} == {tier_of(path.as_posix()) for path in files()}


def test_names_are_shorter_than_60_characters() -> None:
    names = {
        f"{path}::{node.name}"
        for path in files()
        for node in ast.walk(ast.parse((TESTS / path).read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
        if len(node.name) > LONGEST_NAME
    }
    assert names == set()
