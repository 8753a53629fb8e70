"""What courses and teams use: the action's script as a runner runs it, files beside a judging, hooks and jobs."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from evalforge.cli.parser import command_line
from tests.command_line import run_in
from tests.conftest import REPOSITORY
from tests.judged import FLAWLESS, WEAK

ACTION = yaml.safe_load((REPOSITORY / "action.yml").read_text("utf-8"))
COURSES = (REPOSITORY / "docs" / "how-to" / "courses.md").read_text("utf-8")


def job(place: Path, solution: Path, **inputs: str) -> tuple[int, str, dict[str, str]]:
    """Run the judging step of the action: its exit status, what it printed, and its outputs."""
    shutil.copytree(solution, place / "work", ignore=shutil.ignore_patterns("gold.yaml"))
    [step] = [step for step in ACTION["runs"]["steps"] if step.get("id") == "judge"]
    values = {name: given.get("default", "") for name, given in ACTION["inputs"].items()} | inputs
    expressions = {f"${{{{ inputs.{name} }}}}": value for name, value in values.items()}
    script = place / "script"
    program = place / "bin" / "evalforge"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m evalforge "$@"\n')
    program.chmod(0o755)
    script.write_text(step["run"])
    environment = {
        **os.environ, **{name: expressions[value] for name, value in step["env"].items()},
        "PATH": f"{program.parent}:{os.environ['PATH']}", "RUNNER_TEMP": str(place / "temp"),
        "GITHUB_STEP_SUMMARY": str(place / "summary"), "GITHUB_OUTPUT": str(place / "output"),
    }  # fmt: skip
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    ended = subprocess.run(shell, cwd=place, env=environment, capture_output=True, text=True, check=False, timeout=300)
    outputs = dict(line.split("=", 1) for line in (place / "output").read_text().splitlines())
    return ended.returncode, ended.stdout, outputs


def test_the_action_annotates_summarises_and_writes_files(tmp_path: Path) -> None:
    status, printed, outputs = job(tmp_path, WEAK, boss="training-dummy", folder="work")
    assert (status, outputs["status"]) == (1, "1")
    assert "::error title=Training Dummy::work: fail" in printed
    assert (tmp_path / "summary").read_text().startswith("## Training Dummy")
    result = json.loads(base64.b64decode(outputs["result"]))
    assert {"version", "status", "max_score", "tests"} == set(result)
    files = {path.name for path in Path(outputs["files"]).iterdir()}
    assert files == {"evalforge.sarif", "junit.xml", "summary.md", "classroom.json", "hp.svg"}


def test_a_job_may_pass_a_standing_boss_but_no_missing_result(tmp_path: Path) -> None:
    for name in ("stands", "unjudged"):
        (tmp_path / name).mkdir()
    status, _, outputs = job(tmp_path / "stands", WEAK, boss="training-dummy", folder="work", fail="false")
    assert (status, outputs["status"]) == (0, "1")
    broken = {"boss": "training-dummy", "folder": "work", "fail": "false", "arguments": "--python /bin/true"}
    status, printed, outputs = job(tmp_path / "unjudged", WEAK, **broken)
    assert (status, outputs["status"], "ungraded" in printed) == (3, "3", True)


@pytest.mark.usefixtures("warm_engine")
def test_files_are_written_beside_what_is_printed(tmp_path: Path) -> None:
    shutil.copytree(FLAWLESS, tmp_path / "work", ignore=shutil.ignore_patterns("gold.yaml"))
    arguments = ("judge", "training-dummy", "work", "--no-save", "--json", "--write", "badge=hp.svg")
    ended = run_in(tmp_path, *arguments)
    result = json.loads(ended.stdout)
    picture = (tmp_path / "hp.svg").read_text()
    ET.fromstring(picture)
    assert f"{result['score_total']}/{result['score_max']} strong pass" in picture
    assert "100 % struck off" in picture
    for wrong in ("badge", "poem=x", "badge=nowhere/hp.svg"):
        ended = run_in(tmp_path, *arguments[:-1], wrong)
        assert (ended.returncode, ended.stdout, "--write" in ended.stderr) == (2, "", True)


@pytest.mark.usefixtures("warm_engine")
def test_a_class_has_one_bar_for_each(tmp_path: Path) -> None:
    for name, solution in (("ann", WEAK), ("bob", FLAWLESS)):
        shutil.copytree(solution, tmp_path / "class" / name, ignore=shutil.ignore_patterns("gold.yaml"))
    options = ("--write", "badge=bars.svg", "--write", "classroom=results.json")
    assert run_in(tmp_path, "batch", "training-dummy", "class", *options).returncode == 0
    assert (tmp_path / "bars.svg").read_text().count("Training Dummy</text>") == 2
    results = json.loads((tmp_path / "results.json").read_text())
    assert {name: result["status"] for name, result in results.items()} == {"ann": "fail", "bob": "pass"}


def test_hook_and_job_call_what_there_is() -> None:
    [hook] = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text("utf-8"))
    command_line().parse_args([*hook["entry"].split()[1:], *hook["args"]])
    blocks = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", COURSES, re.DOTALL)]
    [gitlab] = [block["boss"] for block in blocks if isinstance(block, dict) and "boss" in block]
    [command] = [line for line in gitlab["script"] if line.startswith("evalforge")]
    command_line().parse_args(command.split()[1:])
    [repository] = [block["repos"][0] for block in blocks if isinstance(block, dict) and "repos" in block]
    [local] = repository["hooks"]
    command_line().parse_args([*local["entry"].split()[1:], *local["args"]])
    same = ("id", "name", "entry", "pass_filenames", "always_run")
    assert {key: local[key] for key in same} == {key: hook[key] for key in same}
    assert local["language"] == "system"  # it runs what is installed, and installs nothing by a name


def test_the_job_meets_gitlab_s_schema(tmp_path: Path) -> None:
    pytest.importorskip("check_jsonschema", reason="check-jsonschema is in the group dev: run make")
    [block] = re.findall(r"## GitLab\n\n```yaml\n(.*?)```", COURSES, re.DOTALL)
    (tmp_path / "job.yml").write_text(block)
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.gitlab-ci", tmp_path / "job.yml"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, ended.stdout
