"""Mutants are made of what the trials run, and tests of anything else are worth nothing."""

import pytest

from evalforge.evidence.suite.jobs import PassingTest
from evalforge.evidence.suite.live_code import LiveCode
from evalforge.sandbox.execution import Execution

SOURCE = """\
LIMIT = 3


@cache
def called(n):
    def inner():
        return n
    return inner


def dead(n):
    return n
class Shape:
    size = 1

    def area(self): return self.size
"""
EXECUTION = Execution(
    lines={"app.py": frozenset({0, 1, 5})}, entered={"app.py": frozenset({4, 16}), "gone.py": frozenset({1})}
)


@pytest.mark.parametrize(("line", "is_alive"), [(1, True), (8, True), (7, False), (12, False), (14, True), (16, True)])
def test_a_line_is_as_alive_as_its_innermost_function(line, is_alive):
    assert LiveCode({"app.py": SOURCE}, EXECUTION).is_alive("app.py", line) is is_alive


def test_files_that_never_ran_or_can_not_be_parsed_are_dead():
    live = LiveCode({"app.py": "def (:\n", "other.py": "x = 1\n"}, EXECUTION)
    assert not live.is_alive("app.py", 1)
    assert not live.is_alive("other.py", 1)


@pytest.mark.parametrize(("lines", "reached"), [({12}, False), ({8, 12}, True), (set(), False)])
def test_a_test_counts_if_it_runs_anything_alive(lines, reached):
    test = PassingTest("test_it", 0.0, {"app.py": frozenset(lines)})
    assert LiveCode({"app.py": SOURCE}, EXECUTION).is_reached_by(test) is reached
