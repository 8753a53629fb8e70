"""The attacks that reach out, once more as a user without rights: some layers of the cage differ for root."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.attack import ATTACKS
from tests.attacks.test_attacks import test_an_attack_gains_nothing_and_touches_nothing as gains_nothing
from tests.privileges import interpreter_for_nobody
from tests.rotation import due_cases, turn

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
    reaching = [attack.name for attack in ATTACKS if attack.family == "reach"]
    names = [
        name for name, is_due in zip(reaching, due_cases(reaching[:1] * len(reaching), turn()), strict=True) if is_due
    ]
    test = f"tests/attacks/test_attacks.py::{gains_nothing.__name__}"
    command += ["--basetemp", str(scratch / "pytest"), *(f"{test}[{name}]" for name in names)]
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
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
    assert f"{len(names)} passed" in run.stdout
