"""What counts as the program where it is known what ran, and what counts for nothing because it never did."""

from textwrap import dedent

import pytest

from evalforge.evidence.static import read_code
from evalforge.model.evidence import Fact
from evalforge.model.submission import Submission
from evalforge.sandbox.execution import Execution, HiddenCode

UGLY = "def work(rows):\n" + "".join(f"    if rows > {number}:\n        print(rows)\n" for number in range(12))


def read(files: dict[str, str], **known: object) -> dict[str, Fact]:
    """The facts where this is known of what ran: ``lines``, ``entered``, ``touched``, ``acting``, ``hidden``."""
    submission = Submission.of({path: dedent(text) for path, text in files.items()})
    sets = {
        name: {path: frozenset(lines) for path, lines in known[name].items()}
        for name in ("lines", "entered", "touched", "acting")
        if isinstance(known.get(name), dict)
    }
    execution = Execution(**sets, hidden=known.get("hidden", ()), has_worked=known.get("has_worked", True))
    return {fact.name: fact for fact in read_code(submission, execution)}


@pytest.mark.parametrize("path", ["tests/impl.py", "test_impl.py", "conftest.py", "setup.py", "conf.py"])
def test_a_program_is_read_wherever_it_lies(path: str) -> None:
    entry = "from impl import work\n\n\ndef clean(a, b):\n    return a + b\n"
    found = read(
        {"app.py": entry, path: UGLY},
        lines={"app.py": {0, 1, 4}, path: {0, 1, 2}},
        entered={"app.py": {1}, path: {1}},
    )
    assert found["code.max_complexity"].value == 12
    assert found["code.functions"].value == 1


def test_files_that_nothing_runs_or_imports_are_no_program() -> None:
    files = {"app.py": "def f(a):\n    from late import g\n    return g(a)\n", "late.py": "def g(a):\n    return a\n"}
    lines = {"app.py": {0, 1, 2}}
    found = read({**files, "demo.py": UGLY, "setup.py": "x = 1\n"}, lines=lines, entered={"app.py": {1}})
    assert found["code.max_complexity"].value == 0


def test_hidden_code_leaves_all_facts_about_code_open() -> None:
    hidden = (HiddenCode("app.py", 1, "text"),)
    found = read(
        {"app.py": "exec('...')\ndef f(a):\n    return a\n"}, lines={"app.py": {0, 1}}, entered={}, hidden=hidden
    )
    assert found["code.hidden"].value == 1
    assert found["code.functions"].value is None
    assert found["code.max_complexity"].findings[0].place == "app.py:1"


def test_a_program_that_breaks_on_import_is_read_as_it_stands() -> None:
    files = {"app.py": "import missing\n\n\ndef f(a):\n    return a\n"}
    assert read(files, lines={"app.py": {0, 1}}, entered={}, has_worked=False)["code.functions"].value == 1
    assert read(files, lines={"app.py": {0, 1}}, entered={})["code.functions"].value == 0


DOCUMENTED = '''
def work(a):
    return Box(a).open()
class Box:
    def open(self): return 3
def spare(a: int) -> int:
    """Give a number back."""
    return a
class Spare:
    """Holds nothing."""
class Fault(ValueError):
    """Something is wrong with a number."""
'''


def test_documented_code_counts_where_it_ran() -> None:
    unknown = {fact.name: fact for fact in read_code(Submission.of({"app.py": DOCUMENTED}))}
    assert unknown["code.docstring_share"].value == 1 / 4
    found = read({"app.py": DOCUMENTED}, lines={"app.py": {0, 2, 3}}, entered={"app.py": {2, 5}})
    assert found["code.docstring_share"].value == 0


@pytest.mark.parametrize(("touched", "mixed"), [(set[int](), 0), ({4}, 1), ({7}, 0)])
def test_input_and_output_is_what_a_function_does(touched: set[int], mixed: int) -> None:
    body = (
        "def total(rows):\n    found = 0\n    for row in rows:\n        rows.spare.take_in(row)\n"
        "        found += row * 3\n    return found\nLIMIT = find(total([3, LIMIT]))\n"
    )
    known = {"lines": {"app.py": set(range(8))}, "entered": {"app.py": {1}}}
    acting = {7} if touched else set[int]()
    found = read({"app.py": body}, **known, touched={"app.py": touched}, acting={"app.py": acting})
    assert found["code.io_mixed"].value == mixed
    assert found["code.module_level_statements"].value == int(bool(touched))
