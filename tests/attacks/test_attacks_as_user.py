"""The attacks that reach out, once more as a user without rights: some layers of the cage differ for root."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.attack import ATTACKS

REPOSITORY = Path(__file__).resolve().parents[2]
NOBODY = 65534
AGAIN = "EVALFORGE_ATTACKS_AGAIN"


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder that another user can pass, which pytest's own folders don't allow."""
    folder = Path(tempfile.mkdtemp(prefix="evalforge-user-", dir="/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def interpreter_for_nobody(home: Path) -> str:
    """An interpreter of this version that nobody may run, with our packages in reach."""
    if (os.geteuid(), sys.platform) != (0, "linux"):
        pytest.skip("only root can become another user; these tests ran as an unprivileged user already")
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    packages = {
        str(Path(module.__file__ or "").parents[1]) for name in ("pytest", "pydantic") for module in [sys.modules[name]]
    }
    if not all(can_pass(Path(folder)) for folder in packages):
        pytest.skip("an unprivileged user can't reach the packages these tests run with")
    for candidate in (Path(sys.executable).resolve(), Path("/usr/bin") / version):
        if not candidate.exists() or not can_pass(candidate):
            continue
        made = subprocess.run([str(candidate), "-m", "venv", "--without-pip", str(home / "venv")], check=False)
        if made.returncode == 0:
            site = home / "venv" / "lib" / version / "site-packages"
            (site / "ours.pth").write_text("\n".join([*packages, str(home)]) + "\n")
            return str(home / "venv" / "bin" / "python")
    return pytest.skip(f"there is no {version} that an unprivileged user can reach")


def can_pass(path: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


@pytest.mark.skipif(AGAIN in os.environ, reason="this is that second time")
def test_reaching_out_gains_nothing_for_an_unprivileged_user(home: Path) -> None:
    python = interpreter_for_nobody(home)
    for name in ("evalforge", "tests", "bosses"):
        shutil.copytree(REPOSITORY / name, home / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPOSITORY / "pyproject.toml", home)
    subprocess.run(["/bin/chmod", "-R", "a+rX", str(home)], check=True)
    scratch = home / "scratch"
    scratch.mkdir()
    os.chown(scratch, NOBODY, NOBODY)
    command = [
        python,
        "-B",
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--tb=short",
        "--show-capture=no",
    ]
    command += ["--basetemp", str(scratch / "pytest"), "-k", "gains_nothing and reach", "tests/attacks/test_attacks.py"]
    run = subprocess.run(
        command,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        cwd=home,
        env={"PATH": "/usr/bin:/bin", "HOME": str(scratch), "TMPDIR": str(scratch), AGAIN: "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    passed = re.search(r"\b(\d+) passed", run.stdout)
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
    assert passed
    assert int(passed[1]) >= sum(attack.family == "reach" for attack in ATTACKS)
