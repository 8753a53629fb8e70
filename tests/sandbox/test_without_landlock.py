"""A kernel without Landlock: runs get a file tree of their own, and everything is judged as elsewhere."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evalforge.sandbox.host.cage import syscalls
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.skipif(not syscalls.MACHINE, reason="there are system call filters on Linux alone")


def without_landlock(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the program where Landlock's calls are unknown."""
    command = [
        sys.executable,
        "-m",
        "tests.without_layers",
        "landlock",
        sys.executable,
        "-m",
        "evalforge",
        *map(str, arguments),
    ]
    return subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY, timeout=300, check=False)


@pytest.fixture(scope="module", autouse=True)
def _namespaces() -> None:
    doctor = without_landlock("doctor", "--json")
    isolation = next(check for check in json.loads(doctor.stdout)["checks"] if check["name"] == "isolation")
    if "does not hold: namespaces: " in isolation["message"]:
        pytest.skip("user namespaces are refused here")
    assert isolation["message"].startswith("namespaces. This kernel has no Landlock")


def test_a_fight_is_judged_as_elsewhere_and_says_its_cage() -> None:
    boss = REPOSITORY / "bosses/training-dummy"
    fight = without_landlock("judge", "training-dummy", boss / "exemplars/flawless", "--json", "--full")
    attempt = json.loads(fight.stdout)
    assert (fight.returncode, attempt["isolation"]) == (0, "namespaces")
    assert attempt["result"]["verdict"] == "strong_pass"


def test_hidden_files_are_not_read_and_nothing_is_written(tmp_path: Path) -> None:
    boss, mine = REPOSITORY / "bosses/training-dummy", tmp_path / "mine"
    shutil.copytree(boss / "exemplars/flawless", mine)
    entry = next(mine.glob("*.py"))
    left, secret = tmp_path / "left-behind", tmp_path / "secret"
    secret.write_text("not yours")
    reached = [str(secret), str(boss / "rubric.yaml"), "/etc/passwd", "/var"]
    entry.write_text(
        "import os\n"
        f"for path in {reached}:\n"
        "    if os.path.exists(path) and (os.path.isfile(path) or os.listdir(path)):\n"
        "        raise SystemExit(f'reached {path}')\n"
        f"for path in {[str(left), '/tmp/left-behind-by-a-player', '/dev/shm/left-behind']}:\n"
        "    try:\n"
        "        open(path, 'w').close()\n"
        "    except OSError:\n"
        "        continue\n"
        "    raise SystemExit(f'wrote {path}')\n" + entry.read_text()
    )
    fight = without_landlock("judge", "training-dummy", mine, "--no-save", "--json")
    result = json.loads(fight.stdout)
    assert not left.exists()
    assert result["score_total"] >= 5, fight.stdout
