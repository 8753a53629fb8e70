"""What the cage costs: the same small script under each layer, beside a fresh interpreter without any."""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import Contender, Options, race, table
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.sandbox.client import Host
from evalforge.sandbox.program import Call, Program
from evalforge.sandbox.staging import StagedSubmission

_SCRIPT = "import argparse, json, sys\nprint(json.dumps(sys.argv[1:]))\n"


def main(options: Options) -> None:
    """Print the table."""
    submission = Submission(files=(SubmissionFile(path="main.py", content=_SCRIPT),))
    with StagedSubmission(submission) as staged, tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "main.py"
        script.write_text(_SCRIPT)
        hosts = {layer: Host(layer=layer) for layer in ("basic", "standard")}

        def fresh() -> None:
            subprocess.run([sys.executable, "-I", "-S", str(script), "a"], capture_output=True, check=True)

        def caged(layer: str) -> float:
            runs = [hosts[layer].run(staged, Program("script", "main.py"), Call(args=("a",))) for _ in range(5)]
            assert all(run.exit_code == 0 for run in runs)
            return statistics.median(run.seconds for run in runs)

        timings = race(
            [
                Contender("python -I -S main.py, a fresh interpreter", fresh),
                Contender("warmed host, limits alone (basic)", lambda: caged("basic")),
                Contender("warmed host, Landlock + seccomp (standard)", lambda: caged("standard")),
            ],
            options,
        )
        for host in hosts.values():
            host.shut_down()
    table("One run of a small script", timings)
