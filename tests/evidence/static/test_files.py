"""Which files are read, as what, and what is said about those that can't be."""

import sys

import pytest

from evalforge.evidence.static import is_test_file


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("test_app.py", True),
        ("app_test.py", True),
        ("tests/helpers.py", True),
        ("test/deep/down/anything.py", True),
        ("src/pkg/tests/test_x.py", True),
        ("Tests/TEST_X.PY", True),
        ("conftest.py", True),
        ("tests.py", True),
        ("tests/__init__.py", True),
        ("app.py", False),
        ("latest.py", False),
        ("contest.py", False),
        ("testing/app.py", False),
        ("attest_app.py", False),
        ("tests/data/readings.json", False),
        ("tests/README.md", False),
        ("tests", False),
        ("", False),
    ],
)
def test_tests_are_told_from_code_by_their_path(path, expected):
    assert is_test_file(path) is expected


def test_only_python_files_that_are_no_tests_are_code(facts):
    source = "def f(): pass\n"
    found = facts({"a.py": source, "b/c.py": source, "test_a.py": source, "notes.md": "# hi", "d.txt": source})
    assert found["code.functions"].value == 2


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        pytest.param('def f():\n    x = """\n# not a comment\n\ntext"""\n', 4, id="a hash within a string is code"),
        pytest.param("def f():\r\n    x = 1\r\n", 2, id="CRLF"),
        pytest.param("def f():\r    x = 1\r", 2, id="CR"),
        pytest.param("\ufeffdef f():\n    x = 1\n", 2, id="BOM"),
        pytest.param("def f():\n    x = 1\x0c\n    y = 2\n", 3, id="form feed"),
        pytest.param("def f():\n    x = '\u2028'\n    y = 2\n", 3, id="line separator"),
    ],
)
def test_lines_end_where_python_ends_them(facts, source, lines):
    assert facts(source)["code.longest_function"].value == lines


@pytest.mark.parametrize(
    ("source", "line", "message"),
    [
        pytest.param("x = 1\ndef f(:\n", 2, "invalid syntax", id="plain"),
        pytest.param("def f():\n  x\n y\n", 3, "unindent", id="indentation"),
        pytest.param("x = 1\n\0\n", 2, "null byte", id="null byte"),
        pytest.param("x = 1\r\n'\ud800'\n", 2, "not valid text", id="surrogate"),
        pytest.param("x = '", 1, "unterminated string", id="unterminated"),
    ],
)
def test_a_syntax_error_is_placed_and_explained(facts, source, line, message):
    fact = facts(source)["code.syntax_errors"]
    assert fact.value == 1
    assert (fact.findings[0].path, fact.findings[0].line) == ("app.py", line)
    assert message in fact.findings[0].message


@pytest.mark.parametrize(
    ("source", "version"),
    [
        ("type Pair[T] = tuple[T, T]\n", (3, 12)),
        ("def first[T](items: list[T]) -> T:\n    return items[0]\n", (3, 12)),
        ("class Box[T = int]:\n    pass\n", (3, 13)),
        ("try:\n    pass\nexcept KeyError, ValueError:\n    pass\n", (3, 14)),
        ("words = t'{name}'\n", (3, 14)),
    ],
)
def test_newer_syntax_says_which_python_it_needs(facts, source, version):
    fact = facts(source)["code.syntax_errors"]
    words = [finding.message for finding in fact.findings if "needs Python {}.{}".format(*version) in finding.message]
    assert bool(words) == (fact.value == 1) == (version > sys.version_info[:2])


@pytest.mark.parametrize("source", ["print('it isn't here')\n", 'print("a"t"b")\n'])
def test_a_quote_within_a_text_needs_no_newer_python(facts, source):
    (finding,) = facts(source)["code.syntax_errors"].findings
    assert "needs Python" not in finding.message


def test_a_syntax_error_leaves_the_other_files_readable(facts):
    found = facts({"broken.py": "def f(:\n", "fine.py": "def g(x):\n    return x\n"})
    assert found["code.syntax_errors"].value == 1
    assert found["code.functions"].value == 1


@pytest.mark.parametrize(
    "sources", [{}, {"app.py": "def f(:\n"}, {"README.md": "text"}], ids=["none", "broken", "other"]
)
def test_without_a_readable_file_nothing_is_measured(facts, sources):
    found = facts(sources)
    for name in ("silent_excepts", "io_mixed", "main_guard", "max_complexity", "functions"):
        assert found[f"code.{name}"].value is None, name


def test_a_broken_test_file_is_no_syntax_error_of_the_code(facts):
    found = facts({"app.py": "x = 1\n", "test_app.py": "def test(:\n"})
    assert found["code.syntax_errors"].value == 0
    assert found["tests.count"].value == 0
    assert found["tests.count"].findings[0].message.startswith("can't be read")


def test_every_fact_of_the_catalogue_is_given_once_by_name(facts):
    names = list(facts("x = 1\n"))
    code = """
        checking_changes docstring_share duplicate_blocks eval_calls exit_calls functions
        hidden io_mixed longest_function longest_share main_guard max_complexity module_level_statements silent_excepts
        specific_excepts syntax_errors
    """.split()
    tests = [f"tests.{name}" for name in ("asserts", "count", "empty", "failure_cases")]
    assert names == [f"code.{name}" for name in code] + tests
    assert list(facts({})) == names
