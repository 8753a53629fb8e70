"""Which files are read, as what, and what is said about those that can't be."""

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
    found = facts({"a.py": "x = 1\n", "b/c.py": "y = 2\n", "test_a.py": "z = 3\n", "notes.md": "# hi", "d.txt": "1"})
    assert found["code.files"].value == 2
    assert found["code.lines"].value == 2


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        pytest.param("", 0, id="empty"),
        pytest.param("\n\n  \n", 0, id="blank"),
        pytest.param("# only\n# comments\n", 0, id="comments"),
        pytest.param('"""A docstring\nof two lines."""\n', 0, id="docstring"),
        pytest.param("x = 1\n\n# why\ny = 2  # how\n", 2, id="code and comments"),
        pytest.param('x = """\n# not a comment\n\ntext"""\n', 3, id="a hash within a string is code"),
        pytest.param("x = 1\r\ny = 2\r\n", 2, id="CRLF"),
        pytest.param("x = 1\ry = 2\r", 2, id="CR"),
        pytest.param("\ufeffx = 1\n", 1, id="BOM"),
        pytest.param("x = 1\x0c\ny = 2\n", 2, id="form feed"),
        pytest.param("x = '\u2028'\ny = 2\n", 2, id="line separator"),
    ],
)
def test_lines_of_code_leave_out_blanks_comments_and_docstrings(facts, source, lines):
    found = facts(source)
    assert found["code.lines"].value == lines
    assert found["code.longest_file"].value == lines
    assert found["code.syntax_errors"].value == 0


def test_the_longest_file_is_named(facts):
    fact = facts({"short.py": "x = 1\n", "long.py": "x = 1\ny = 2\n"})["code.longest_file"]
    assert fact.value == 2
    assert fact.findings[0].path == "long.py"


def test_modules_are_files_with_code_of_their_own(facts):
    found = facts(
        {
            "pkg/__init__.py": '"""Exports."""\nfrom .a import f\n__all__ = ["f"]\n',
            "pkg/a.py": "def f(): pass\n",
            "pkg/empty.py": "",
            "pkg/constants.py": "LIMIT = 3\n",
            "tests/test_a.py": "def test_f(): assert True\n",
        }
    )
    assert found["code.modules"].value == 2
    assert found["code.files"].value == 4


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


def test_a_syntax_error_leaves_the_other_files_readable(facts):
    found = facts({"broken.py": "def f(:\n", "fine.py": "def g(x):\n    return x\n"})
    assert found["code.syntax_errors"].value == 1
    assert found["code.functions"].value == 1
    assert found["code.files"].value == 2
    assert found["code.modules"].value == 1
    assert found["code.lines"].value == 3


@pytest.mark.parametrize(
    "sources", [{}, {"app.py": "def f(:\n"}, {"README.md": "text"}], ids=["none", "broken", "other"]
)
def test_without_a_readable_file_nothing_is_measured(facts, sources):
    found = facts(sources)
    for name in ("bare_excepts", "io_mixed", "main_guard", "max_complexity", "functions", "typed_share"):
        assert found[f"code.{name}"].value is None, name


def test_a_broken_test_file_is_no_syntax_error_of_the_code(facts):
    found = facts({"app.py": "x = 1\n", "test_app.py": "def test(:\n"})
    assert found["code.syntax_errors"].value == 0
    assert found["tests.files"].value == 0
    assert found["tests.files"].findings[0].message.startswith("can't be read")


def test_every_fact_of_the_catalogue_is_given_once_by_name(facts):
    names = list(facts("x = 1\n"))
    code = """
        argparse bare_excepts broad_excepts checking_changes classes dataclasses docstring_share
        duplicate_blocks eval_calls exit_calls files functions global_writes handed_changes hidden io_mixed lines
        logging_calls longest_file longest_function longest_share magic_numbers main_function main_guard
        max_complexity max_nesting max_params module_level_statements modules prints
        silent_excepts specific_excepts stderr_writes syntax_errors typed_share
    """.split()
    assert names == [f"code.{name}" for name in code] + [
        f"tests.{name}" for name in ("asserts", "count", "empty", "failure_cases", "files")
    ]
    assert list(facts({})) == names
