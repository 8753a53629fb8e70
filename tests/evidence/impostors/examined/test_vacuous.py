"""Suites that look at no answer: they are found, and those that look at any are not taken for one."""

import pytest

from evalforge.evidence.suite.examination import PlayerTestExamination
from evalforge.model.evidence import ImpostorFate
from tests import till

VACUOUS = {
    "a name is there": "def test_it():\n    assert Till\n    assert callable(main)\n",
    "it runs": "def test_it():\n    till = Till()\n    till.add(1)\n    till.undo()\n",
    "true whatever comes": "def test_it():\n    assert Till().add(1) or True\n    assert len(Till().entries()) >= 0\n",
    "an assertion that is swallowed": (
        "def test_it():\n    try:\n        assert Till().add(1) == 7\n    except AssertionError:\n        pass\n"
    ),
    "its answer is its own": "def test_it():\n    assert Till().add(1) == Till().add(1)\n",
    "what it said on import": "SAID = Till().add(1)\ndef test_it():\n    assert repr(Till().add(1)) == repr(SAID)\n",
    "a check that nobody calls": "def check():\n    assert Till().add(1) == 1\ndef test_it():\n    Till().add(1)\n",
}
HONEST = {
    "one answer": "def test_it():\n    assert Till().add(1) == 1\n",
    "a wrong one": "def test_it():\n    assert Till().add(1) == 7\n",
    "a refusal": "def test_it():\n    with pytest.raises(TillError):\n        Till().add(0)\n",
    "a status": "def test_it():\n    assert main(['3']) == 0\n",
    "what is printed": "def test_it(capsys):\n    main(['3'])\n    assert capsys.readouterr().out\n",
    "a kind": "def test_it():\n    assert isinstance(Till().add(1), int)\n",
}
HEAD = "import pytest\nfrom till import Till, TillError, main\n"


@pytest.mark.parametrize("tests", VACUOUS.values(), ids=list(VACUOUS))
def test_a_suite_that_looks_at_no_answer_is_vacuous(meet, tests):
    assert meet({"test_it.py": HEAD + tests}).measurement.is_content_with_nothing


@pytest.mark.parametrize("tests", HONEST.values(), ids=list(HONEST))
def test_a_suite_that_looks_at_an_answer_is_not(meet, tests):
    assert not meet({"test_it.py": HEAD + tests}).measurement.is_content_with_nothing


def test_tests_of_dead_code_are_counted_nowhere(meet):
    helpers = "def double(n):\n    return n * 2\n"
    tests = "from helpers import double\ndef test_it():\n    assert double(2) == 4\n"
    met = meet({"till.py": "import helpers\n", "helpers.py": helpers, "test_it.py": tests})
    assert met.count("inner") == [1]
    idle = frozenset({"test_it.py::test_it"})
    assert met.measurement.is_idle(idle)
    assert not met.measurement.needs_mutants(idle)
    facts = {fact.name: fact.value for fact in met.measurement.facts(idle)}
    assert (facts["tests.inner"], facts["tests.unmasked"]) == (0, 0.0)


def test_a_suite_that_unmasks_by_a_crash_is_not_vacuous(meet):
    hosts, source = meet.args
    tests = HEAD + "def test_it():\n    {2: 'refused'}[main(['-3'])]\n"
    with PlayerTestExamination(
        hosts, till.submission_of({"till.py": till.FILE, "test_it.py": tests}), source
    ) as examination:
        measured = examination.result()
    assert [result.id for result in measured.impostors if result.fate is ImpostorFate.UNMASKED] == ["status"]
    assert [fact.value for fact in measured.facts if fact.name == "tests.vacuous"] == [False]
