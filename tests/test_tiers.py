"""The tests themselves: every tier has its files, and every name says its promise in a line."""

import ast
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.tiers import FAST, MEANINGS, TIERS, tier_of

TESTS = Path(__file__).resolve().parent
LONGEST_NAME = 59
# Not tests of ours: players' code, good and bad on purpose.
FOREIGN = ("/attacks/submissions/", "/blind/", "/boss/", "/fixtures/")


def files() -> list[Path]:
    """Every file with tests, below ``tests/``."""
    paths = (path.relative_to(TESTS) for path in TESTS.rglob("test_*.py"))
    return sorted(path for path in paths if not any(folder in f"/{path.as_posix()}" for folder in FOREIGN))


@pytest.mark.parametrize("tier", TIERS)
def test_every_place_of_a_tier_exists(tier: str) -> None:
    assert [place for place in TIERS[tier] if not (TESTS / place).exists()] == []


def test_every_tier_is_declared_and_has_files() -> None:
    assert set(MEANINGS) == {FAST, *TIERS} == {tier_of(path.as_posix()) for path in files()}


def test_pytest_enters_every_folder_with_tests(pytestconfig: pytest.Config) -> None:
    folders = {TESTS / folder for path in files() for folder in path.parents}
    patterns = [f"*/{pattern}" for pattern in pytestconfig.getini("norecursedirs")]
    assert [folder for folder in folders if any(fnmatch(folder.as_posix(), pattern) for pattern in patterns)] == []


def test_names_are_shorter_than_60_characters() -> None:
    names = {
        f"{path}::{node.name}"
        for path in files()
        for node in ast.walk(ast.parse((TESTS / path).read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
        if len(node.name) > LONGEST_NAME
    }
    assert names == set()
