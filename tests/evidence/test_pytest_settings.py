"""Settings that choose or mark tests are used as pytest finds them; options of missing plugins are named."""

import pytest

from evalforge.evidence.control_files import control_file_notices
from evalforge.evidence.pytest_settings import read_pytest_settings
from evalforge.model.submission import Submission
from tests.evidence.conftest import CLASSIFY, Examine, messages

GOOD = "from classify import classify\ndef test_it(): assert classify(1, 2) == 'low'\n"
BAD = "def test_it(): assert False\n"
PLACES = {
    "pyproject.toml": "[tool.pytest.ini_options]\n",
    "pytest.ini": "[pytest]\n",
    ".pytest.ini": "[pytest]\n",
    "setup.cfg": "[tool:pytest]\n",
    "tox.ini": "[pytest]\n",
}


def submission(**files: str) -> Submission:
    return Submission.of(files)


@pytest.mark.parametrize("place", PLACES)
def test_settings_are_used_wherever_pytest_finds_them(examine: Examine, place: str) -> None:
    value = '["checks"]' if place.endswith(".toml") else "checks"
    files = {
        place: f"{PLACES[place]}testpaths = {value}\n",
        "checks/test_it.py": GOOD,
        "old/test_it.py": BAD,
    }
    facts = examine({"classify.py": CLASSIFY, **files})
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])


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
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])


def test_a_strict_expected_failure_that_passes_has_failed(examine: Examine) -> None:
    test = "import pytest\n@pytest.mark.xfail\ndef test_it(): pass\n"
    facts = examine({"classify.py": CLASSIFY, "pytest.ini": "[pytest]\nxfail_strict = true\n", "test_it.py": test})
    assert facts["tests.passed"].value == 0.0


def test_the_first_file_with_settings_is_the_one() -> None:
    found = read_pytest_settings(
        submission(
            **{
                "setup.cfg": "[tool:pytest]\ntestpaths = c\n",
                "tox.ini": "[tox]\n",
                "pyproject.toml": "[project]\nname = 'x'\n",
            }
        )
    )
    assert (found.path, found.test_paths) == ("setup.cfg", ("c",))
    empty = read_pytest_settings(submission(**{"pytest.ini": "", "setup.cfg": "[tool:pytest]\ntestpaths = c\n"}))
    assert (empty.path, empty.test_paths) == ("pytest.ini", ())


@pytest.mark.parametrize(
    "text", ["[tool.pytest", '[tool.pytest.ini_options]\ntestpaths = 3\naddopts = "\'"\n', "tool = 3"]
)
def test_settings_that_cannot_be_read_are_none(text: str) -> None:
    assert read_pytest_settings(submission(**{"pyproject.toml": text})).test_paths == ()


def test_options_of_missing_plugins_are_named() -> None:
    options = "-ra --strict-markers --cov=app --cov-report term -n auto -m 'not slow' -x --tb=short"
    notices = control_file_notices(submission(**{"pytest.ini": f"[pytest]\naddopts = {options}\n"}))
    why = "in pytest.ini was left out of the run: it needs a plugin that the judge does not have."
    assert notices == tuple(f"Option {name} {why}" for name in ("--cov", "--cov-report", "-n"))


def test_paths_outside_the_root_are_not_imported_from() -> None:
    text = "[pytest]\npythonpath = . ../other /usr ./lib\n"
    assert read_pytest_settings(submission(**{"pytest.ini": text})).import_folders == ("", "lib")
