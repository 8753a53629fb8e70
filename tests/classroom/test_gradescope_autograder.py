"""The autograder for Gradescope, run in the layout that Gradescope has, by the Python that runs these tests."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.command_line import run

REPOSITORY = Path(__file__).resolve().parents[2]
EXEMPLARS = REPOSITORY / "bosses" / "training-dummy" / "exemplars"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder that Gradescope calls ``/autograder``, with the zip unpacked in it as Gradescope does."""
    ended = run("export-autograder", "training-dummy", "--gradescope", "-o", tmp_path / "grader.zip")
    assert ended.returncode == 0, ended.stderr
    with zipfile.ZipFile(tmp_path / "grader.zip") as archive:
        archive.extractall(tmp_path / "autograder" / "source")
        modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
    assert modes["run_autograder"] == modes["setup.sh"] == 0o755
    shutil.copy(tmp_path / "autograder" / "source" / "run_autograder", tmp_path / "autograder" / "run_autograder")
    return tmp_path / "autograder"


def graded(root: Path) -> dict[str, Any]:
    environment = {**os.environ, "AUTOGRADER": str(root), "EVALFORGE_PYTHON_FOR_AUTOGRADER": sys.executable}
    subprocess.run(
        ["/usr/bin/env", "bash", root / "run_autograder"], env=environment, cwd=root, check=True, timeout=300
    )
    return json.loads((root / "results" / "results.json").read_text())


def test_a_submission_gets_a_test_for_each_criterion(root: Path) -> None:
    shutil.copytree(EXEMPLARS / "flawless", root / "submission", ignore=shutil.ignore_patterns("gold.yaml"))
    results = graded(root)
    assert results["score"] == sum(test["score"] for test in results["tests"]) > 0
    assert {test["status"] for test in results["tests"]} <= {"passed", "failed"}
    assert all(test["score"] <= test["max_score"] and test["output"] for test in results["tests"])
    assert not (root / "source" / "bosses" / "training-dummy" / "exemplars").exists()


def test_what_cannot_be_judged_has_no_score(root: Path) -> None:
    (root / "submission").mkdir()
    results = graded(root)
    assert "score" not in results
    assert results["tests"] == []
    assert "could not be judged" in results["output"]


def test_setup_installs_libraries_and_the_zip_has_the_program(root: Path) -> None:
    setup = root / "source" / "setup.sh"
    installed = shlex.split(setup.read_text().splitlines()[-1].partition(" install ")[2])
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    assert {Requirement(line).name for line in installed} == {
        Requirement(line).name for line in project["dependencies"]
    }
    assert subprocess.run(["bash", "-n", setup], check=False).returncode == 0
    program = root / "source" / "program"
    ended = subprocess.run(
        [sys.executable, "-c", "import evalforge; print(evalforge.__file__)"],
        env={**os.environ, "PYTHONPATH": str(program)}, cwd=root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert Path(ended.stdout.strip()) == program / "evalforge" / "__init__.py"
