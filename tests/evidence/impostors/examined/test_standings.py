"""Each test is taken for what it is: the contract's, inner, wrong, wavering or silent; one does not taint another."""

import pytest

from evalforge.model.evidence import ImpostorFate
from tests import till

HEAD = """
import till, pytest, unittest
from till import Till, TillError, main
"""
PROGRAM = {
    "till/__init__.py": "from .core import Till, TillError, Strange, helper\nfrom .command import main\n",
    "till/core.py": """
        class TillError(Exception): pass
        class Strange(Exception): pass
        class Till:
            def __init__(self, limit=100, colour="red"): self._shelf = []
            def add(self, amount): return amount
        def helper(): return 1
        RATE = 3
    """,
    "till/command.py": "def main(argv=None): return 0\n",
}
INNER = {
    "a helper": "assert till.helper() == 1",
    "a submodule": "import till.command\n    assert till.command.main(['1']) == 0",
    "a name of a submodule": "from till.core import RATE\n    assert RATE + 1 == 4",
    "a private attribute": "assert Till()._shelf == []",
    "a keyword": "assert Till(colour='blue').add(1) == 1",
    "a replaced name": "monkeypatch.setattr(till, 'helper', lambda: 2)\n    assert Till().add(1) == 1",
    "a name replaced by path": "monkeypatch.setattr('till.core.RATE', 5)\n    assert Till().add(1) == 1",
}
EXPECTED_TO_FAIL = """
@pytest.mark.xfail(strict=True)
def test_strict():
    with pytest.raises(TillError): Till().add(0)

class TestCase(unittest.TestCase):
    @unittest.expectedFailure
    def test_unittest(self):
        with self.assertRaises(TillError): Till().add(101)
"""
IDIOMS = """
import asyncio, copy, dataclasses, inspect, logging, pickle, threading, traceback, warnings
from unittest import mock

def test_signature(): assert "amount" in inspect.signature(Till.add).parameters

def test_autospec():
    it = mock.create_autospec(Till, instance=True)
    it.add(1)
    it.add.assert_called_once_with(1)

def test_spy():
    with mock.patch.object(Till, "add", autospec=True) as add:
        Till().add(1)
    add.assert_called_once()

def test_caught():
    try: Till().add(0)
    except TillError:
        logging.getLogger().exception("refused")
        assert "TillError" in traceback.format_exc()
    else: raise AssertionError

def test_caplog(caplog):
    with caplog.at_level(logging.INFO): logging.info("added %s", Till().add(1))
    assert caplog.messages == ["added 1"]

def test_warnings():
    with warnings.catch_warnings(record=True) as seen: Till().add(1)
    assert not seen

def test_async():
    async def add(): return await asyncio.to_thread(Till().add, 3)
    assert asyncio.run(add()) == 3

def test_dataclass():
    @dataclasses.dataclass
    class Holder: held: Till
    assert Holder(Till()).held.total == 0

def test_threads():
    it = Till()
    threads = [threading.Thread(target=it.add, args=(1,)) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    assert it.total == 4

def test_copies():
    it = Till()
    it.add(3)
    assert copy.deepcopy(it).total == pickle.loads(pickle.dumps(it)).total == 3

def test_members(): assert dict(inspect.getmembers(Till)) and inspect.isfunction(main) and repr(main)
"""


def suite(*bodies):
    """A test for each body."""
    return HEAD + "".join(f"\ndef test_{number}(monkeypatch):\n    {body}\n" for number, body in enumerate(bodies))


def test_a_suite_that_states_the_contract_unmasks_everyone(meet):
    met = meet({"test_till.py": till.HONEST})
    assert met.count("contract", "inner", "wrong_expectations", "unmasked") == [6, 0, 0, 1.0]
    assert met.unmasked == set(till.IMPOSTORS)


def test_a_weak_suite_is_told_apart(meet):
    met = meet({"test_till.py": till.WEAK})
    assert met.unmasked == {"keeps"}
    assert met.with_fate(ImpostorFate.LET_THROUGH) == set(till.IMPOSTORS) - {"keeps"}


def test_the_test_that_unmasks_is_named_with_its_line(meet):
    met = meet({"tests/test_till.py": till.HONEST})
    zero = next(result for result in met.measurement.results if result.id == "zero")
    line = till.HONEST.split("\n").index("    def test_zero_is_refused():") + 1
    assert (zero.path, zero.test, zero.line) == ("tests/test_till.py", "test_zero_is_refused", line)


@pytest.mark.parametrize(
    "body",
    ["assert Till().add(5) == 6", "pytest.raises(till.Strange, Till().add, 0)"],
    ids=["a value", "an error of the player's own"],
)
def test_a_wrong_expectation_is_named_with_its_line(meet, body):
    met = meet({**PROGRAM, "tests/test_till.py": suite("assert Till().add(5) == 5", body)})
    assert met.count("contract", "inner") == [1, 0]
    assert met.named("wrong_expectations") == [("test_1", 8)]


def test_what_the_contract_leaves_open_is_set_aside(meet):
    body = "with pytest.raises(TillError) as caught: Till().undo()\n    assert str(caught.value) == 'empty'"
    met = meet({"tests/test_till.py": suite("assert Till().add(5) == 5", body)})
    assert met.count("contract", "wrong_expectations") == [1, 0]
    assert met.named("inner") == [("test_1", 8)]
    assert met.facts["inner"].findings[0].message.endswith("expects what the contract leaves open.")


def test_a_replaced_library_part_says_nothing_where_unused(meet):
    body = "sent = []\n    monkeypatch.setattr('builtins.sum', sent.append)\n    Till().total\n    assert sent"
    assert meet({"test_till.py": suite(body)}).count("contract", "wrong_expectations") == [0, 0]


def test_the_contract_is_quoted_to_a_wrong_expectation(meet):
    met = meet({"tests/test_till.py": suite("assert Till().add(5) == 5", "assert Till().add(0) == 0", "assert 0")})
    said = [finding.message for finding in met.facts["wrong_expectations"].findings]
    assert said[0].endswith("the contract says otherwise (AMOUNTS): “The contract on zero.”")
    assert said[1] == "`test_2` fails on a program that keeps the contract, at `assert 0`."


def test_own_words_are_no_fault_of_a_right_program(meet):
    own = "assert Till().add(5) == 5", "assert str(pytest.raises(TillError, Till().undo).value) == 'ours'"
    bodies = (*own, "assert Till().add(0) == 0")
    measured = meet({"tests/test_till.py": suite(*bodies)}).measurement
    passing = frozenset(f"tests/test_till.py::test_{number}" for number in range(len(bodies)))
    wrong = {}
    for is_right in (False, True):
        facts = {fact.name: fact for fact in measured.beside_own(passing, is_right=is_right).facts()}
        wrong[is_right] = [finding.message.split()[0] for finding in facts["tests.wrong_expectations"].findings]
    assert wrong == {False: ["`test_1`", "`test_2`"], True: ["`test_2`"]}


def test_inner_tests_are_set_aside_one_by_one(meet):
    met = meet({**PROGRAM, "tests/test_till.py": suite("assert Till().add(5) == 5", *INNER.values())})
    assert met.count("contract", "wrong_expectations", "wavering") == [1, 0, 0]
    assert [name for name, _ in met.named("inner")] == [f"test_{number}" for number in range(1, len(INNER) + 1)]


@pytest.mark.parametrize("source", ["def test_it(:\n    pass\n", "import no_such_helper\ndef test_it(): assert True\n"])
def test_no_impostor_is_tried_by_what_cant_be_loaded(meet, source):
    met = meet({"test_till.py": source})
    assert not met.unmasked
    assert not met.with_fate(ImpostorFate.LET_THROUGH)
    assert len(met.with_fate(ImpostorFate.NOT_TRIED)) == met.facts["impostors"].value
    assert met.facts["unmasked"].value is None
    assert "test_till.py can't be loaded" in met.facts["unmasked"].findings[0].message
    assert met.facts["out_of_time"].value == 0
    assert "only your program has" not in met.said


def test_examples_in_the_program_are_the_players_own(meet):
    met = meet({"test_till.py": HEAD + "import doctest\ndef test_it(): assert doctest.testmod(till).attempted\n"})
    assert met.count("contract", "inner", "wrong_expectations") == [0, 1, 0]


def test_what_the_sandbox_refuses_says_nothing(meet):
    body = (
        "def test_it():\n    assert Till().add(1) == 1\n    import subprocess\n    subprocess.run(['no-git', 'init'])\n"
    )
    met = meet({"test_till.py": HEAD + body})
    assert met.count("contract", "inner", "wavering", "wrong_expectations") == [0, 0, 0, 0]
    assert met.unmasked == set()


def test_what_other_programs_do_with_files_says_nothing(meet):
    body = "def test_it():\n    import subprocess\n    subprocess.run(['grep', '-q', 'class', 'till.py'], check=True)\n"
    met = meet({"test_till.py": HEAD + body})
    assert met.count("contract", "inner", "wavering", "wrong_expectations") == [0, 1, 0, 0], met.said


def test_what_is_expected_to_fail_and_holds_states_the_contract(meet):
    met = meet({**PROGRAM, "tests/test_till.py": HEAD + EXPECTED_TO_FAIL})
    assert met.count("contract", "wrong_expectations") == [2, 0]
    assert met.unmasked == {"zero", "ceiling"}


@pytest.mark.parametrize("mark", ["@pytest.mark.xfail\n", "@pytest.mark.xfail(reason='x', strict=False)\n"])
def test_what_may_fail_and_holds_states_nothing(meet, mark):
    met = meet({"test_till.py": HEAD + mark + "def test_it():\n    with pytest.raises(TillError): Till().add(0)\n"})
    assert met.count("contract", "wrong_expectations") == [0, 0]
    assert met.unmasked == set()


def test_what_is_expected_to_fail_and_does_is_no_fault(meet):
    body = "@pytest.mark.xfail(strict=True)\ndef test_wrong(): assert Till().add(2) == 3\n"
    assert meet({"test_till.py": HEAD + body}).count("contract", "wrong_expectations", "wavering") == [0, 0, 0]


EXCUSES = {
    "it may fail": "@pytest.mark.xfail\ndef test_it(): assert Till().add(2) == 3\n",
    "it marks itself": (
        "def test_it(request):\n    if Till().add(2) != 3: request.applymarker(pytest.mark.xfail)\n"
        "    assert Till().add(2) == 3\n"
    ),
    "it skips itself": ("def test_it():\n    if Till().add(2) != 3: pytest.skip('x')\n    assert Till().add(2) == 3\n"),
    "a fixture skips it": (
        "@pytest.fixture\ndef till():\n    if Till().add(2) != 3: pytest.skip('x')\n    return Till()\n"
        "def test_it(till): assert till.add(2) == 3\n"
    ),
    "unittest skips it": (
        "class TestTill(unittest.TestCase):\n    def test_it(self):\n"
        "        if Till().add(2) != 3: self.skipTest('x')\n        assert Till().add(2) == 3\n"
    ),
}


@pytest.mark.parametrize("body", EXCUSES.values(), ids=list(EXCUSES))
def test_what_passes_on_the_own_program_alone_is_wrong(meet, body):
    measured = meet({"test_till.py": HEAD + body}).measurement
    name = "test_till.py::TestTill::test_it" if "TestTill" in body else "test_till.py::test_it"
    elsewhere = {fact.name: fact.value for fact in measured.beside_own(frozenset()).facts()}
    here = {fact.name: fact.value for fact in measured.beside_own(frozenset({name})).facts()}
    assert (elsewhere["tests.wrong_expectations"], here["tests.wrong_expectations"]) == (0, 1)


def test_one_that_skips_itself_without_inner_parts_is_inner(meet):
    body = "def test_it():\n    if not hasattr(Till(), '_shelf'): pytest.skip('x')\n    assert Till()._shelf == []\n"
    measured = meet({**PROGRAM, "test_till.py": HEAD + body}).measurement
    facts = {fact.name: fact.value for fact in measured.beside_own(frozenset({"test_till.py::test_it"})).facts()}
    assert (facts["tests.inner"], facts["tests.wrong_expectations"]) == (1, 0)


def test_a_wavering_test_is_named_and_counts_for_nothing(meet):
    body = (
        "SEEN = []\ndef test_first(): SEEN.append(Till().add(1))\ndef test_second(): assert SEEN and main(['0']) == 2\n"
    )
    met = meet({"test_till.py": HEAD + body})
    assert met.named("wavering") == [("test_second", 6)]
    assert met.count("contract", "wrong_expectations") == [1, 0]
    assert met.unmasked == set()


def test_a_hang_unmasks(meet):
    assert meet({"test_till.py": HEAD + "def test_it(): pytest.raises(TillError, Till().undo)\n"}).unmasked == {
        "endless"
    }


def test_everyday_idioms_speak_for_the_contract(meet):
    met = meet({"test_till.py": HEAD + IDIOMS})
    assert met.count("contract", "inner", "wavering", "wrong_expectations") == [11, 0, 0, 0]
    assert met.unmasked == {"zero"}


def test_no_tests_are_not_measured(meet):
    met = meet({"till.py": "def main(): return 0\n"})
    assert met.count("contract", "unmasked", "impostors") == [None, None, 0]
