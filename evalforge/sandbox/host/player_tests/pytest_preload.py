"""Load pytest into the host before any player's code, so that running tests needs no start-up."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from . import suite_session
from .suite_session import SessionPlugin

if TYPE_CHECKING:
    import pytest

# All that a session may import, compile or fill while it runs; this throw-away session triggers it in advance.
_SAMPLE_NAME = "test_sample"
_SAMPLE = """
import logging, unittest, warnings
import pytest

@pytest.fixture
def thing(tmp_path, monkeypatch):
    monkeypatch.setenv("A", "b")
    yield tmp_path

@pytest.mark.parametrize("a", [1, 2])
def test_fixtures(thing, capsys, caplog, a, request, recwarn):
    print("x"); logging.warning("y"); (thing / "z").write_text("z")
    assert capsys.readouterr().out == "x\\n" and "y" in caplog.text
    assert 0.1 + 0.2 == pytest.approx(0.3)

def test_descriptors(capfd, tmp_path_factory, tmpdir):
    print("x"); capfd.readouterr(); tmp_path_factory.mktemp("a")

def test_raises():
    with pytest.raises(ValueError, match="x"):
        raise ValueError("x")
    with pytest.warns(UserWarning):
        warnings.warn("x")

@pytest.mark.xfail
def test_fails():
    assert 1 == 2

def test_fails_plainly():
    assert {"a": 1} == {"a": 2}

@pytest.mark.skipif("True", reason="x")
def test_skipped():
    pass

class TestCase(unittest.TestCase):
    def setUp(self):
        self.a = 1

    def test_sub(self):
        for i in (1, 2):
            with self.subTest(i=i):
                self.assertEqual(i, i)
        with self.assertLogs("test_sample") as logs:
            logging.getLogger("test_sample").error("b")

    def test_fails(self):
        self.assertEqual(1, 2)
"""


def preload_pytest(folders: Sequence[str], scratch: str) -> None:
    """Import pytest, and run a session that uses everything once that later sessions need."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    preload_from(folders, lambda: _run_sample_session(scratch))


def preload_from(folders: Sequence[str], load: Callable[[], object]) -> None:
    """Load a library of ours from some folders, or that of the interpreter if ours doesn't run in it."""
    for search_path in ([*folders, *sys.path], list(sys.path)):
        modules_before, path_before = set(sys.modules), list(sys.path)
        sys.path[:] = search_path
        try:
            load()
        except Exception:  # noqa: BLE001 - anything may be wrong with a library in the player's interpreter
            for name in set(sys.modules) - modules_before:
                del sys.modules[name]
        else:
            return
        finally:
            sys.path[:] = path_before
            sys.path_importer_cache.clear()


def _run_sample_session(scratch: str) -> None:
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        path = os.path.join(folder, _SAMPLE_NAME + ".py")
        with open(path, "w") as file:
            file.write(_SAMPLE)
        with open(os.path.join(folder, "pyproject.toml"), "w") as file:  # most players have one: its reader is loaded
            file.write("[tool.pytest.ini_options]\n")
        os.chdir(folder)
        with open(os.devnull, "w") as null, contextlib.redirect_stdout(null), contextlib.redirect_stderr(null):
            suite_session.open_session(SessionPlugin(lambda _: False, _run_tests), folder)
        os.chdir(scratch)
    sys.modules.pop(_SAMPLE_NAME, None)


def _run_tests(session: pytest.Session) -> None:
    for item, following in zip(session.items, [*session.items[1:], None]):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    # As a worker's session does, this one ends without a cache, which would make the folder anew where a host is ended.
    vars(session.config)["workerinput"] = {}
