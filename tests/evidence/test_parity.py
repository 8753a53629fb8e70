"""Tests do here what they do under a bare pytest in the same folder: the same ones pass, fail, are skipped."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evalforge.evidence.suite.conversation import SuiteConversation
from evalforge.model.submission import Submission
from evalforge.sandbox.player_test_host import PlayerTestHost, PlayerTestPlan
from evalforge.sandbox.staging import StagedSubmission
from tests.evidence.parity_suites import SUITES

SECONDS = 60.0
RECORDER = """
import json, os
outcomes, broken = {}, set()
def pytest_runtest_logreport(report):
    outcome = "expected" if hasattr(report, "wasxfail") and report.skipped else report.outcome
    if outcome != "passed" and outcomes.get(report.nodeid) != "failed" or report.nodeid not in outcomes:
        outcomes[report.nodeid] = outcome
def pytest_collectreport(report):
    if report.failed: broken.add(report.nodeid)
def pytest_sessionfinish():
    with open(os.environ["RECORD"], "w") as file: json.dump([outcomes, sorted(broken)], file)
"""
Outcomes = tuple[dict[str, str], list[str]]


def under_pytest(files: dict[str, str], folder: Path) -> Outcomes:
    """The outcome of each test, and what could not be collected, in a process and a folder of its own."""
    (folder / "aside").mkdir()
    (folder / "aside" / "evalforge_recorder.py").write_text(RECORDER)
    for path, text in files.items():
        target = folder / "suite" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
    environment |= {
        "RECORD": str(folder / "record"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(folder / "aside"),
    }  # fmt: skip
    command = [sys.executable, "-B", "-m", "pytest", "-p", "evalforge_recorder", "--continue-on-collection-errors"]
    ended = subprocess.run(
        command, cwd=folder / "suite", env=environment, capture_output=True, text=True, timeout=SECONDS
    )
    outcomes, broken = (
        json.loads((folder / "record").read_text()) if ended.returncode < 3 or ended.returncode == 5 else ({}, [])
    )
    return outcomes, broken


def under_the_judge(files: dict[str, str], host: PlayerTestHost) -> Outcomes:
    paths = [path for path in files if path.endswith(".py")]
    tests = tuple(path for path in paths if path != "tally.py")
    plan = PlayerTestPlan(tests, ("tally.py",), SECONDS)
    with (
        StagedSubmission(Submission.of(files), frozenset()) as staged,
        SuiteConversation(host, staged, plan) as conversation,
    ):
        report = conversation.receive_report()
    assert report is not None
    assert report.loaded is not None
    return {ran.name: ran.outcome for ran in report.runs[0].tests}, sorted(
        broken.file for broken in report.loaded.broken
    )


def test_there_are_more_than_fifty() -> None:
    assert len(SUITES) > 50


@pytest.mark.parametrize("name", SUITES)
def test_a_suite_does_what_it_does_under_pytest(name: str, tmp_path: Path, test_host: PlayerTestHost) -> None:
    files = SUITES[name]
    expected = under_pytest(files, tmp_path)
    assert expected[0] or expected[1], "pytest itself can't run it"
    assert under_the_judge(files, test_host) == expected
