"""A gap in the tests is named only if a trial fails on it that passed before: whatever else changes is no fault."""

from contextlib import aclosing
from pathlib import Path

import pytest

from evalforge.evidence.engine import Engine
from evalforge.evidence.suite.candidates import find_mutants
from evalforge.evidence.suite.jobs import Baseline
from evalforge.evidence.suite.mutant_facts import mutation_score
from evalforge.evidence.suite.own_tests import OwnTests
from evalforge.model.events import FactMeasured
from evalforge.model.evidence import Fact
from tests import factories
from tests.evidence.conftest import messages
from tests.evidence.test_score import outcome_of

# `SEEN` shows that each mutant meets trials that have not run before.
TRIALS = '''
import pytest

SEEN = []

@pytest.mark.parametrize(("given", "price"), [("4", "8"), ("10", "18"), ("11", "19")])
def test_price(cli, given, price):
    """Ten or more are cheaper."""
    SEEN.append(given)
    assert SEEN.count(given) == 1
    assert cli("--count", given).stdout == price + "\\n"

def test_never_passes(cli):
    """This one fails on every program."""
    assert cli("--count", "3").stdout == "7\\n"
'''
SHOP = """
import sys

GREETING = ["hello"]

def price(count):
    if count < 10:
        return count * 2
    return count * 2 - 2 if count else 5

def greet():
    return GREETING[0]

def main():
    greet()
    print(price(int(sys.argv[2])))

if __name__ == "__main__":
    main()
"""
TESTS = """
from shop import price

def test_few(): assert price(4) == 8
def test_many(): assert price(20) == 38
"""


@pytest.fixture
def trials(tmp_path: Path) -> Path:
    (tmp_path / "trials").mkdir()
    (tmp_path / "trials" / "test_shop.py").write_text(TRIALS)
    return tmp_path / "trials"


async def facts(engine: Engine, trials: Path, **files: str) -> dict[str, Fact]:
    stream = engine.gather("straw", trials, ("shop.py",), factories.submission(**files))
    async with aclosing(stream) as events:
        return {event.fact.name: event.fact async for event in events if isinstance(event, FactMeasured)}


async def test_only_mutants_that_break_the_contract_are_named_as_gaps(engine: Engine, trials: Path) -> None:
    found = await facts(engine, trials, shop=SHOP, test_shop=TESTS)
    said = messages(found["tests.mutation_score"])
    assert "shop.py:" in said  # such as `count < 10` changed to `count <= 10`, for a trial asks for ten
    assert "hello" not in said  # the contract doesn't say how it greets
    assert "`5` changed to `6`" not in said  # none gets there


async def test_the_share_is_of_faults_that_break_the_contract(engine: Engine, trials: Path) -> None:
    found = await facts(engine, trials, shop=SHOP, test_shop=TESTS)
    certified = found["tests.certified"]
    assert isinstance(certified.value, int)
    assert certified.value >= 8
    assert f"Of {certified.value} small faults put into your program" in messages(certified)
    assert found["tests.noticed"].value > found["tests.mutation_score"].value


async def test_of_a_program_that_passes_no_trial_no_gap_is_named(engine: Engine, trials: Path) -> None:
    broken = SHOP.replace("print(price", "print(price and -price")
    found = await facts(engine, trials, shop=broken, test_shop=TESTS)
    assert isinstance(found["tests.mutation_score"].value, float)
    assert "changed to" not in messages(found["tests.mutation_score"])
    assert "No trial fails on any" in messages(found["tests.mutation_score"])


def test_unnoticed_mutants_count_whether_or_not_they_are_named() -> None:
    mutants = find_mutants("a.py", "def f(a):\n    return a < 1\n")[0]
    own = OwnTests(1, 1, 0, 0, 0, (), Baseline((), {}, 0.0))
    outcome = outcome_of(mutants, ["killed", "survived", "killed", "survived"])
    score = mutation_score(own, outcome, mutants[1:3])
    assert (score.value, len(score.findings)) == (0.5, 1)
    assert mutants[1].description in messages(score)
