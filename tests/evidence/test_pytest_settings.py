"""Settings that choose or mark tests are used as pytest finds them; options of missing plugins are named."""

import pytest

from evalforge.evidence.static import read_code
from evalforge.evidence.suite.run import Suite, find_suite
from evalforge.model.submission import Submission
from evalforge.sandbox.execution import Execution
from evalforge.sandbox.player_test_host import PlayerTestHost
from tests.evidence.conftest import CLASSIFY, Examine, Facts, messages

GOOD = "from classify import classify\ndef test_it(): assert classify(1, 2) == 'low'\n"
BAD = "def test_it(): assert False\n"
PLACES = {
    "pyproject.toml": "[tool.pytest.ini_options]\n",
    "pytest.ini": "[pytest]\n",
    ".pytest.ini": "[pytest]\n",
    "setup.cfg": "[tool:pytest]\n",
    "tox.ini": "[pytest]\n",
}


def assert_all_pass(facts: Facts) -> None:
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])


@pytest.mark.parametrize("place", PLACES)
def test_settings_are_used_wherever_pytest_finds_them(examine: Examine, place: str) -> None:
    value = '["checks"]' if place.endswith(".toml") else "checks"
    files = {
        place: f"{PLACES[place]}testpaths = {value}\n",
        "checks/test_it.py": GOOD,
        "old/test_it.py": BAD,
    }
    facts = examine({"classify.py": CLASSIFY, **files})
    assert_all_pass(facts)


SETTINGS = {
    "files": ('python_files = ["check_*.py"]', {"tests/check_it.py": GOOD, "tests/test_old.py": BAD}),
    "functions": (
        'python_functions = ["check_*"]',
        {"tests/test_it.py": "def check_it(): pass\ndef test_old(): assert False\n"},
    ),
    "classes": (
        'python_classes = ["*Suite"]',
        {"test_it.py": "class ItSuite:\n    def test_it(self): 1\nclass TestOld:\n    def test_it(self): 1 / 0\n"},
    ),
    "imports": (
        'pythonpath = ["lib", "more/lib"]',
        {
            "lib/one.py": "ONE = 1\n",
            "more/lib/two.py": "TWO = 2\n",
            "test_it.py": "import one, two\ndef test_it(): 1\n",
        },
    ),
    "strict markers": (
        'addopts = "-ra --strict-markers"\nmarkers = ["late: a mark"]\nasyncio_mode = "auto"',
        {
            "test_it.py": "import pytest\n@pytest.mark.late\n@pytest.mark.asyncio\nasync def test_it(): pass\n",
        },
    ),
    "marked tests": (
        'addopts = "-q -m \'not late\'"\nmarkers = ["late: a mark"]',
        {"test_it.py": "import pytest\ndef test_it(): pass\n@pytest.mark.late\ndef test_late(): assert False\n"},
    ),
    "named tests": (
        'addopts = ["-k", "not late"]',
        {"test_it.py": "def test_it(): pass\ndef test_late(): assert False\n"},
    ),
    "own options": (
        'addopts = "--deep"',
        {
            "conftest.py": "def pytest_addoption(parser): parser.addoption('--deep', action='store_true')\n",
            "test_it.py": "def test_it(request): assert request.config.getoption('--deep')\n",
        },
    ),
    "warnings and strictness": (
        'xfail_strict = true\nfilterwarnings = ["error::UserWarning"]',
        {
            "test_it.py": """
                import pytest, warnings
                def test_it(tmp_path):
                    with pytest.raises(UserWarning): warnings.warn("x")
                @pytest.mark.xfail
                def test_expected(): assert False
            """
        },
    ),
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_choose_and_mark_tests(examine: Examine, setting: str) -> None:
    lines, files = SETTINGS[setting]
    facts = examine({"classify.py": CLASSIFY, "pyproject.toml": f"[tool.pytest.ini_options]\n{lines}\n", **files})
    assert_all_pass(facts)


def test_a_strict_expected_failure_that_passes_has_failed(examine: Examine) -> None:
    test = "import pytest\n@pytest.mark.xfail\ndef test_it(): pass\n"
    facts = examine({"classify.py": CLASSIFY, "pytest.ini": "[pytest]\nxfail_strict = true\n", "test_it.py": test})
    assert facts["tests.passed"].value == 0.0


def test_settings_that_cannot_be_read_are_named(examine: Examine) -> None:
    facts = examine({"classify.py": CLASSIFY, "pyproject.toml": "[tool.pytest", "test_it.py": GOOD})
    assert facts["tests.passed"].value == 0.0
    assert "pyproject.toml" in messages(facts["tests.passed"])


OF_PLUGINS = {
    "options": "addopts = -ra --strict-markers --cov=classify --cov-report term-missing -n 4 --timeout=30 -x",
    "settings": "filterwarnings = error\nasyncio_mode = auto\ntimeout = 30",
    "strict settings": "addopts = --strict-config\nasyncio_mode = auto",
    "required": "required_plugins = pytest-cov pytest-django>=4",
    "marks": "addopts = --strict-markers",
}


@pytest.mark.parametrize("setting", OF_PLUGINS)
def test_what_needs_a_plugin_that_is_not_here_is_left_out(examine: Examine, setting: str) -> None:
    test = "import pytest\npytestmark = pytest.mark.timeout(3)\n" + GOOD
    facts = examine({"classify.py": CLASSIFY, "pytest.ini": f"[pytest]\n{OF_PLUGINS[setting]}\n", "test_it.py": test})
    assert_all_pass(facts)


def test_options_that_were_left_out_are_named(test_host: PlayerTestHost) -> None:
    files = {"pytest.ini": f"[pytest]\n{OF_PLUGINS['options']}\n", "test_it.py": "def test_it(): pass\n"}
    suite = find_suite(Suite([test_host], Submission.of(files))).contents
    assert suite is not None
    assert suite.unknown_options == ("--cov=classify", "--cov-report", "-n", "--timeout=30")
    facts = {fact.name: fact for fact in read_code(Submission.of(files), Execution(suite=suite))}
    assert "option --cov-report of the settings was left out" in messages(facts["tests.count"])
