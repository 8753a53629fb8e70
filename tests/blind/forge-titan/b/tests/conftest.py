import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "journal"


@pytest.fixture
def book(journal):
    from titan import Titan

    return Titan(str(journal))
