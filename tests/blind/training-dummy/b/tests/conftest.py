import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def dummy():
    def run(*arguments):
        return subprocess.run([sys.executable, ROOT / "dummy.py", *arguments], capture_output=True, text=True)

    return run
