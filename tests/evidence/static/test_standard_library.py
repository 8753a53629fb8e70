"""A package everyone knows, read: the facts agree with what a reader sees."""

import json
from pathlib import Path

import pytest

FOLDER = Path(json.__file__).parent


@pytest.fixture(scope="module")
def found(facts):
    return facts({path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py")})


def test_it_is_read_in_full(found):
    assert found["code.syntax_errors"].value == 0
    assert found["code.functions"].value > 20


def test_its_notorious_function_is_found(found):
    longest = [finding.message for finding in found["code.longest_function"].findings]
    assert any("`_make_iterencode" in message for message in longest)
    named = [finding.message for finding in found["code.max_complexity"].findings]
    assert any("`_make_iterencode._iterencode_dict`" in message for message in named)


def test_its_virtues_are_seen(found):
    for name in (
        "eval_calls",
        "io_mixed",
        "exit_calls",
    ):
        assert found[f"code.{name}"].value == 0, name
    assert found["code.docstring_share"].value > 0.7


def test_its_program_is_found(found):
    assert found["code.main_guard"].value is True
    assert {"tool.py", "__main__.py"} & {finding.path for finding in found["code.main_guard"].findings}
