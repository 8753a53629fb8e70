"""Packs that may not be looked into, in processes without root's rights: ``access`` asks what root could have."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

_RIGHTS = "-dac_override,-dac_read_search"
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """One command, as somebody whom permissions bind; root isn't unless it lets go of that."""
    bound = ["setpriv", f"--bounding-set={_RIGHTS}", f"--inh-caps={_RIGHTS}"] if os.geteuid() == 0 else []
    if bound and (not shutil.which("setpriv") or subprocess.run([*bound, "true"], capture_output=True).returncode):
        pytest.skip("root can't let go of its rights here")

    def command(*arguments: object) -> "subprocess.CompletedProcess[str]":
        ended = subprocess.run(
            [*bound, sys.executable, "-m", "evalforge", *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=120,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        )
        assert "Traceback (most recent call last)" not in ended.stderr
        return ended

    return command


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A sound pack of one's own."""
    return Path(shutil.copytree(REPOSITORY / "bosses/training-dummy", tmp_path / "mine/straw"))


def test_an_unreadable_pack_is_listed_and_hides_no_other(run: Run, pack: Path) -> None:
    (pack.parent / "shut").mkdir(0)
    told = run("bosses", "--bosses", pack.parent).stdout
    (line,) = [line for line in told.splitlines() if "shut" in line]
    assert line.startswith("broken")
    assert "Permission denied" in line
    assert str(pack) in run("bosses", "--bosses", pack.parent, "--json").stdout
    ended = run("judge", "shut", pack / "starter", "--bosses", pack.parent)
    assert (ended.returncode, "Permission denied" in ended.stderr) == (2, True)


def test_lint_says_that_a_pack_can_not_be_read(run: Run, pack: Path) -> None:
    pack.chmod(0)
    ended = run("lint", "straw", "--bosses", "mine")
    pack.chmod(0o700)
    (told,) = [line for line in ended.stdout.splitlines() if "Permission denied" in line]
    assert told.startswith(f"{Path('mine/straw')}: ")
    assert ended.returncode == 2
