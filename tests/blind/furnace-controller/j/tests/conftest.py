import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

PROGRAM = Path(__file__).resolve().parents[1] / "furnace_controller.py"


class Result(NamedTuple):
    status: int
    words: list
    output: str


@pytest.fixture
def run(tmp_path):
    """Run the program on bytes, text or (None) on no file at all."""

    def run(content, *options, target="20"):
        path = tmp_path / "readings.json"
        if content is not None:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        command = [sys.executable, str(PROGRAM), "--input", str(path), "--target-temp", target, *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
        output = done.stdout + done.stderr
        return Result(done.returncode, re.findall(r"\b(HEAT|COOL|STABLE)\b", output), output)

    return run
