import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parent.parent / "furnace_controller.py"


@pytest.fixture
def run(tmp_path):
    """Run the program on a text, as an operator would."""

    def run(text, *options):
        path = tmp_path / "readings.json"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        command = [sys.executable, str(PROGRAM), "--input", str(path), *options]
        return subprocess.run(command, capture_output=True, text=True)

    return run
