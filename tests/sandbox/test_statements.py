"""One statement compiled by itself is what it is in its module."""

import ast
from pathlib import Path

import pytest

from evalforge.evidence.static import is_test_file
from evalforge.evidence.suite.candidates import find_mutants
from evalforge.sandbox.host.player_tests.statements import Statements

BOSSES = Path(__file__).resolve().parents[2] / "bosses"
SOURCES = sorted(path for path in BOSSES.glob("*/exemplars/*/**/*.py") if not is_test_file(path.name))


def statements(content: bytes) -> Statements:
    return Statements(content, compile(content, "a.py", "exec", dont_inherit=True))


def read(content: bytes) -> list[str]:
    """The statements of a module with all their places."""
    return [ast.dump(node, include_attributes=True) for node in ast.parse(content).body]


def test_faults_in_every_exemplar_read_the_same_either_way() -> None:
    alone = together = 0
    for path in SOURCES[::4]:
        content = path.read_bytes()
        try:
            parts, before = statements(content), read(content)
        except SyntaxError:
            continue
        for mutant in find_mutants("a.py", content.decode())[0][::40]:
            span = parts.find_around(mutant.start, mutant.end)
            if span is None:
                together += 1
                continue
            alone += 1
            changed = content[: mutant.start] + mutant.replacement.encode() + content[mutant.end :]
            (was,), (became,) = read(parts.source_of(span)), read(parts.source_of(span, changed))
            assert was != became
            index = before.index(was)
            assert read(changed)[index] == became, (path, mutant)
    assert alone > 30
    assert together < alone / 20


ODD = "def f(x: Later) -> None:\n    return x + 1\n"


@pytest.mark.parametrize(
    ("content", "is_alone"),
    [
        (ODD, True),
        ("import a\n\n\n@a.b\n@a.c(\n    1,\n)\n" + ODD, True),
        ("class C:\n    " + ODD.replace("\n", "\n    ") + "\n", True),
        ("if True:\n    " + ODD.replace("\n", "\n    ") + "\n", True),
        ("# é\n" + ODD + "y = 'é'", True),
        ("x = 1; f = lambda x: x + 1", False),
        ("f = lambda x: x + 1; y = 2\n", False),
        ("# -*- coding: latin-1 -*-\n" + ODD, False),
        (ODD.replace("\n", "\r\n"), False),
        ("\f\n" + ODD, False),
    ],
)
def test_a_statement_is_alone_unless_it_shares_its_lines(content: str, is_alone: bool) -> None:
    source = content.encode()
    parts = statements(source)
    start = source.index(b"x + 1")
    span = parts.find_around(start, start + 5)
    assert (span is not None) == is_alone
    if span:
        (read_alone,) = read(parts.source_of(span, source[:start] + b"(x) - 1" + source[start + 5 :]))
        assert read_alone in read(source[:start] + b"(x) - 1" + source[start + 5 :])


def test_annotations_stay_text_where_the_module_asks_for_that() -> None:
    source = b"from __future__ import annotations\ndef f(x: Later): return x\n"
    parts = statements(source)
    span = parts.find_around(len(source) - 2, len(source) - 1)
    assert span
    names: dict[str, object] = {}
    exec(parts.compile_one(span), names)  # nothing is called Later: it would raise
    assert getattr(names["f"], "__annotations__") == {"x": "Later"}  # noqa: B009


def test_what_lies_between_statements_belongs_to_none() -> None:
    parts = statements(b"a = 1\n\n# words\nb = 2\n")
    assert parts.find_around(0, 5)
    assert parts.find_around(8, 12) is None
    assert parts.find_around(4, 17) is None
