"""The same trials the ordinary way: pytest, and a new interpreter for each run of the script. No isolation.

A pytest plugin with the ``cli`` and ``rng`` fixtures; ``EVALFORGE_BENCH_SCRIPT`` names the script.
"""

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalforge.evidence.trials.scripts import Cli
from evalforge.sandbox.program import Call, Program
from evalforge.sandbox.report import Ending, RunLimits, RunReport
from evalforge.sandbox.staging import StagedSubmission
from evalforge.submissions.collect import collect

SCRIPT = Path(os.environ["EVALFORGE_BENCH_SCRIPT"])


class PlainHost:
    """Stands in for a host: runs a script in a fresh interpreter, in a fresh directory."""

    def run(self, staged: StagedSubmission, program: Program, call: Call, limits: RunLimits | None = None) -> RunReport:
        """Run it; the limits aren't kept."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in call.files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            ended = subprocess.run(
                [sys.executable, staged.path / program.name, *call.args],
                input=call.stdin,
                capture_output=True,
                check=False,
                cwd=folder,
                env={**os.environ, **call.env},
            )
            files = {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.is_file()}
        return RunReport(Ending.EXIT, ended.returncode, None, ended.stdout.decode(), ended.stderr.decode(), files)


@pytest.fixture(scope="session")
def staged() -> Iterator[StagedSubmission]:
    """The script and what lies beside it."""
    with StagedSubmission(collect(SCRIPT.parent)) as staged:
        yield staged


@pytest.fixture
def cli(staged: StagedSubmission) -> Cli:
    """Run the script."""
    program = Program("script", SCRIPT.name)
    return Cli(PlainHost(), staged, program, SCRIPT.name, RunLimits(), lambda _step, _report: None)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Reproducible random numbers."""
    return random.Random(request.node.name)
