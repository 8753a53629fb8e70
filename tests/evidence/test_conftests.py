"""Conftest files of the player's are used as pytest uses them, in every folder."""

import pytest

from tests.evidence.conftest import CLASSIFY, Examine, messages

USE = """
def test_below(low): assert low == "low"
def test_edge(high): assert high == "high"
"""
FIXTURES = """
import pytest
from classify import classify

@pytest.fixture(scope="session")
def low(): return classify(1, 2)

@pytest.fixture
def high(): return classify(2, 2)
"""


@pytest.mark.parametrize(
    ("conftest", "test"),
    [
        ("conftest.py", "test_classify.py"),
        ("conftest.py", "tests/unit/test_classify.py"),
        ("tests/conftest.py", "tests/unit/deep/test_classify.py"),
        ("checks/unit/conftest.py", "checks/unit/test_classify.py"),
    ],
)
def test_fixtures_of_any_folder_above_a_test_are_used(examine: Examine, conftest: str, test: str) -> None:
    facts = examine({"classify.py": CLASSIFY, conftest: FIXTURES, test: USE})
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])
    assert facts["tests.mutation_score"].value == 1.0


HOOKS = {
    "parameters": (
        "def pytest_generate_tests(metafunc): metafunc.parametrize('number', [1, 2])",
        "def test_it(number): assert number in (1, 2)",
    ),
    "options": (
        """
        import pytest
        def pytest_addoption(parser): parser.addoption("--slow", action="store_true", default=False)
        def pytest_configure(config): config.addinivalue_line("markers", "slow: slow tests")
        def pytest_collection_modifyitems(config, items):
            for item in items:
                if "slow" in item.keywords and not config.getoption("--slow"):
                    item.add_marker(pytest.mark.skip(reason="needs --slow"))
        """,
        """
        import pytest
        def test_it(): pass
        @pytest.mark.slow
        def test_slow(): assert False
        """,
    ),
    "around each test": (
        """
        import os
        def pytest_runtest_setup(item): os.environ["TEST_NAME"] = item.name
        """,
        'import os\ndef test_it(): assert os.environ["TEST_NAME"] == "test_it"',
    ),
    "start of the session": (
        "def pytest_sessionstart(session): session.config.begun = True",
        "def test_it(pytestconfig): assert pytestconfig.begun",
    ),
    "plugins": (
        "pytest_plugins = ['tests.more']",
        "def test_it(more): assert more == 3",
    ),
    "autouse": (
        "import os, pytest\n@pytest.fixture(autouse=True)\ndef there(monkeypatch): monkeypatch.setenv('A', 'b')",
        'import os\ndef test_it(): assert os.environ["A"] == "b"',
    ),
    "ignored files": (
        "collect_ignore = ['nothing.py']",
        "def test_it(): pass",
    ),
}


@pytest.mark.parametrize("hook", HOOKS)
def test_hooks_of_conftest_files_are_used(examine: Examine, hook: str) -> None:
    conftest, test = HOOKS[hook]
    more = "import pytest\n@pytest.fixture\ndef more(): return 3\n"
    files = {"conftest.py": conftest, "tests/test_it.py": test, "tests/__init__.py": "", "tests/more.py": more}
    facts = examine({"classify.py": CLASSIFY, **files})
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])


def test_faults_that_show_as_a_conftest_loads_are_noticed(examine: Examine) -> None:
    facts = examine(
        {
            "rates.py": "RATE = 3\nDOUBLE = RATE * 2\n",
            "tests/conftest.py": "import pytest, rates\n@pytest.fixture\ndef double(): return rates.DOUBLE\n",
            "tests/test_rates.py": "def test_it(double): assert double == 6\n",
        }
    )
    assert facts["tests.mutation_score"].value == 1.0, messages(facts["tests.mutation_score"])


def test_fixtures_are_used_beside_a_file_that_breaks(examine: Examine) -> None:
    facts = examine(
        {
            "classify.py": CLASSIFY,
            "tests/conftest.py": FIXTURES,
            "tests/test_classify.py": USE,
            "tests/test_other.py": USE.replace("def test_", "def test_other_"),
            "tests/test_exit.py": "raise OSError\ndef test_x(): pass\n",
        }
    )
    assert facts["tests.passed"].value == pytest.approx(4 / 5), messages(facts["tests.passed"])


def test_a_broken_conftest_is_named_with_its_line(examine: Examine) -> None:
    facts = examine(
        {
            "classify.py": CLASSIFY,
            "conftest.py": "import pytest\n\n1 / 0\n",
            "tests/test_it.py": "def test_it(): pass\n",
        }
    )
    assert facts["tests.passed"].value == 0.0
    assert messages(facts["tests.passed"]) == (
        "conftest.py:3: conftest.py can't be loaded: ZeroDivisionError: division by zero"
    )


def test_a_broken_conftest_concerns_its_folder_alone(examine: Examine) -> None:
    facts = examine(
        {
            "classify.py": CLASSIFY,
            "tests/unit/conftest.py": "import pytest\n1 / 0\n",
            "tests/unit/test_it.py": "def test_it(): pass\n",
            "tests/test_classify.py": "def test_it(): pass\n",
        }
    )
    assert facts["tests.passed"].value == 0.5
    assert "tests/unit/conftest.py:2: tests/unit/conftest.py can't be loaded" in messages(facts["tests.passed"])


@pytest.mark.parametrize("ending", ["import os; os._exit(0)", "while True: pass", "import sys; sys.exit(0)"])
def test_a_conftest_that_takes_everything_down_fails_the_tests(examine_impatiently: Examine, ending: str) -> None:
    paths = {"classify.py": CLASSIFY, "conftest.py": f"{ending}\n", "test_classify.py": "def test_x(): pass\n"}
    facts = examine_impatiently(paths)
    assert facts["tests.passed"].value == 0.0
    assert facts["tests.mutation_score"].value is None


def test_a_conftest_that_calls_failures_successes_hides_nothing(examine: Examine) -> None:
    facts = examine(
        {
            "classify.py": CLASSIFY,
            "conftest.py": """
                import pytest
                @pytest.hookimpl(hookwrapper=True)
                def pytest_runtest_makereport(item, call):
                    outcome = yield
                    outcome.get_result().outcome = "passed"
            """,
            "test_classify.py": "import classify\ndef test_x(): assert classify.classify(1, 2) == 'high'\n",
        }
    )
    assert facts["tests.passed"].value == 0.0


DROPS = """
def pytest_collection_modifyitems(config, items):
    dropped = [item for item in items if {condition}]
    {report}
    items[:] = [item for item in items if item not in dropped]
"""
GOOD = "from classify import classify\ndef test_it(): assert classify(1, 2) == 'low'\n"


@pytest.mark.parametrize("report", ["pass", "config.hook.pytest_deselected(items=dropped)"])
def test_a_failing_test_that_a_hook_takes_out_counts_as_failing(examine: Examine, report: str) -> None:
    conftest = DROPS.format(condition="item.name.startswith('test_edge')", report=report)
    test = f"{GOOD}def test_edge(): assert classify(2, 2) == 'low'\n"
    facts = examine({"classify.py": CLASSIFY, "conftest.py": conftest, "tests/test_it.py": test})
    assert facts["tests.passed"].value == 0.5
    assert messages(facts["tests.passed"]).startswith(
        "tests/test_it.py:3: `test_edge` fails, and a hook takes it out of the run:"
    )


def test_a_failing_test_that_a_hook_drops_counts_as_failing(examine: Examine) -> None:
    conftest = "def pytest_pycollect_makeitem(name):\n    return [] if 'edge' in name else None\n"
    test = f"{GOOD}class TestIt:\n    def test_edge(self): assert classify(2, 2) == 'low'\n"
    facts = examine({"classify.py": CLASSIFY, "conftest.py": conftest, "test_it.py": test})
    assert facts["tests.passed"].value == 0.5
    assert "`TestIt::test_edge` fails, and a hook takes it out of the run" in messages(facts["tests.passed"])


@pytest.mark.parametrize("keyword", ["def", "async def"])
def test_a_test_that_a_hook_claims_to_have_called_is_called(examine: Examine, keyword: str) -> None:
    conftest = "def pytest_pyfunc_call(pyfuncitem): return 'edge' in pyfuncitem.name or None\n"
    test = f"{GOOD}{keyword} test_edge(): assert classify(2, 2) == 'low'\n"
    facts = examine({"classify.py": CLASSIFY, "conftest.py": conftest, "test_it.py": test})
    assert facts["tests.passed"].value == 0.5
    assert "test_it.py:3: `test_edge` fails" in messages(facts["tests.passed"])


def test_a_hook_may_call_a_test_in_its_own_way(examine: Examine) -> None:
    conftest = """
        import asyncio, inspect
        def pytest_pyfunc_call(pyfuncitem):
            if inspect.iscoroutinefunction(pyfuncitem.obj):
                asyncio.run(pyfuncitem.obj(seen=["it"]))
                return True
        """
    test = f"{GOOD}async def test_it_too(seen=None):\n    assert [*seen, classify(2, 2)] == ['it', 'high']\n"
    facts = examine({"classify.py": CLASSIFY, "conftest.py": conftest, "test_it.py": test})
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])


LEFT_OUT_HONESTLY = {
    "passes": "def test_slow(): assert classify(2, 2) == 'high'",
    "is slow": "def test_slow():\n    import time\n    time.sleep(60)\n    assert classify(2, 2) == 'low'",
    "needs a server": "import socket\ndef test_slow(): socket.create_connection(('127.0.0.1', classify(2, 2) and 9))",
    "is about something else": "def test_slow(): assert False",
}


@pytest.mark.parametrize("test", LEFT_OUT_HONESTLY)
def test_slow_tests_may_be_taken_out(examine: Examine, test: str) -> None:
    conftest = DROPS.format(condition="'slow' in item.name", report="config.hook.pytest_deselected(items=dropped)")
    suite = f"{GOOD}def test_edge(): assert classify(2, 2) == 'high'\n{LEFT_OUT_HONESTLY[test]}\n"
    facts = examine({"classify.py": CLASSIFY, "conftest.py": conftest, "test_it.py": suite})
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])
    assert facts["tests.mutation_score"].value == 1.0


@pytest.mark.parametrize("folder", ["", "tests/"])
def test_a_conftest_that_a_test_imports_is_loaded_once(examine: Examine, folder: str) -> None:
    conftest = """
        import pytest
        from classify import classify
        class Answer(str): pass
        @pytest.fixture
        def low(): return Answer(classify(1, 2))
        """
    test = """
        from conftest import Answer
        def test_it(low):
            assert isinstance(low, Answer)
            assert low == "low"
        """
    facts = examine({"classify.py": CLASSIFY, f"{folder}conftest.py": conftest, f"{folder}test_it.py": test})
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])
