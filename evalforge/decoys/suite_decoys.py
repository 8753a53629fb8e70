"""Decoys in the tests: tests that can't notice a wrong answer of the program, so no level may rise by them.

In their texts, ``$name`` stands for the program's file name and ``$source`` for its source, both as Python literals,
and ``$module`` for its module.
"""

from pathlib import PurePosixPath
from string import Template

from evalforge.decoys.decoy import Decoy
from evalforge.decoys.decoy_program import DecoyProgram
from evalforge.decoys.rewriting import with_preamble
from evalforge.decoys.spare_code import DEAD_FUNCTIONS, SPARE_MODULE, SPARE_NAMES, SPARE_TESTS

_TEST_FILE = "test_spare.py"
_TOPICS = ("invalid", "missing", "unknown", "negative", "empty", "broken")

_NAMED_AFTER_FAILURES = "import pytest\n" + "".join(
    f"\n\ndef test_{topic}_input_raises_an_error():\n    with pytest.raises(ValueError):\n        int({topic!r})\n"
    f"    assert len({topic!r}) == {len(topic)}\n"
    for topic in _TOPICS
)

_COMPARED_WITH_ITSELF = """
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).with_name($name)


def start(*arguments):
    return subprocess.run([sys.executable, str(PROGRAM), *arguments], input="", capture_output=True, text=True)


def test_the_program_starts():
    assert start().returncode in range(-64, 256)


def test_a_missing_file_gives_the_same_error_twice():
    first, second = start("missing.txt"), start("missing.txt")
    assert (first.returncode, first.stdout) == (second.returncode, second.stdout)


def test_invalid_options_give_the_same_error_twice():
    assert start("--invalid").returncode == start("--invalid").returncode
"""

_CHECKSUM = """
from pathlib import Path

SOURCE = $source


def test_the_program_is_unchanged():
    assert Path(__file__).with_name($name).read_text("utf-8") == SOURCE


def test_invalid_programs_are_noticed():
    text = Path(__file__).with_name($name).read_text("utf-8")
    assert [line for line in text.splitlines() if line not in SOURCE.splitlines()] == []
"""

_CANNOT_FAIL = """
import contextlib

import pytest


@pytest.mark.skip(reason="later")
def test_invalid_input_is_refused():
    assert False


@pytest.mark.xfail(strict=False)
def test_missing_input_is_refused():
    import $module

    assert $module.__name__ == "nobody"


def test_unknown_input_is_refused():
    with contextlib.suppress(Exception):
        import $module

        assert $module.__name__ == "nobody"
"""


def _add_tests(program: DecoyProgram, text: str) -> DecoyProgram:
    name = PurePosixPath(program.entry.path).name
    source = repr(program.entry.content)
    tests = Template(text).substitute(name=repr(name), module=name.removesuffix(".py"), source=source)
    return program.with_files({program.beside_entry(_TEST_FILE): tests})


def _test_spare_parts(program: DecoyProgram) -> DecoyProgram:
    """Add tests of dead functions, and a module with those functions that the program imports."""
    importing = f"from {SPARE_MODULE} import {', '.join(SPARE_NAMES)}\n"
    return program.with_files(
        {
            program.entry.path: with_preamble(program.tree, f"import {SPARE_MODULE}"),
            program.beside_entry(f"{SPARE_MODULE}.py"): f'"""Spare parts."""\n{DEAD_FUNCTIONS}',
            program.beside_entry(_TEST_FILE): importing + SPARE_TESTS,
        }
    )


TEST_DECOYS = (
    Decoy("tests named after bad input that never touch the program", lambda it: _add_tests(it, _NAMED_AFTER_FAILURES)),
    Decoy("tests of ten functions that nothing calls", _test_spare_parts),
    Decoy("tests that compare the program with itself", lambda it: _add_tests(it, _COMPARED_WITH_ITSELF)),
    Decoy("tests that compare the program's text with a copy", lambda it: _add_tests(it, _CHECKSUM)),
    Decoy("tests that are skipped, may fail or swallow their assertions", lambda it: _add_tests(it, _CANNOT_FAIL)),
)
