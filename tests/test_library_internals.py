"""Names that a library doesn't publish: all in one place, known by name, and done without where one is gone."""

import re
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from operator import attrgetter
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

HOST = REPOSITORY / "evalforge" / "sandbox" / "host"
PRELOAD = (HOST / "player_tests" / "hypothesis_preload.py").read_text("utf-8")
OF_HYPOTHESIS = tuple(re.findall(r'^    \("(hypothesis[\w.]*)", "(\w+)"\),$', PRELOAD, re.MULTILINE))
INTERNALS = (HOST / "player_tests" / "pytest_internals.py").read_text("utf-8")
OF_PYTEST = tuple(re.findall(r"^ +from (_pytest[\w.]*) import (\w+)$", INTERNALS, re.MULTILINE))
OF_SCREENS = (("textual.app", "App._handle_exception"), ("pygments.token", "_TokenType"))
HOMES = ("player_tests/pytest_internals.py", "player_tests/hypothesis_preload.py")

WITHOUT_NAMES = f"""
import sys
sys.path.insert(0, {str(HOST)!r})
import pytest
from player_tests import pytest_internals as internals

import _pytest.skipping
del _pytest.skipping.evaluate_xfail_marks

class Loop:
    def pytest_runtestloop(self, session):
        for item in session.items:
            assert internals.active_xfail_mark(item) is None
            print(item.name)
        return True

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", sys.argv[1]], plugins=[Loop()]))
"""


@pytest.mark.parametrize(("module", "name"), [*OF_PYTEST, *OF_HYPOTHESIS, *OF_SCREENS])
def test_an_unpublished_name_is_still_there(module: str, name: str) -> None:
    library = module.partition(".")[0].strip("_")
    gone = f"{library} {version(library)} has no {module}.{name}: what needs it works less well now"
    try:
        attrgetter(name)(import_module(module))
    except (ImportError, AttributeError):
        pytest.fail(gone)


def test_unpublished_names_of_test_tools_have_one_home_each() -> None:
    assert (len(OF_PYTEST), len(OF_HYPOTHESIS)) == (1, 3)
    inner_name = re.compile(
        r"\b_pytest\.|import _pytest|hypothesis\.internal|\b(?:session|config|manager|item)\._[a-z]"
    )
    homes = {
        path.relative_to(HOST).as_posix()
        for path in HOST.rglob("*.py")
        if inner_name.search(re.sub(r'"_pytest\.outcomes"', "", path.read_text("utf-8")))
    }
    assert homes <= set(HOMES)


def test_tests_run_without_what_pytest_keeps_for_itself(tmp_path: Path) -> None:
    (tmp_path / "test_suite.py").write_text("import pytest\n@pytest.mark.xfail\ndef test_expected(): assert False\n")
    command = [sys.executable, "-c", WITHOUT_NAMES, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=tmp_path)
    assert "test_expected" in ended.stdout, ended.stdout + ended.stderr
