"""What tests of several commands share: a pack that its author can spoil."""

from pathlib import Path

import pytest

from evalforge.packs.new_folders import create_pack


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A sound pack of one's own."""
    return create_pack("toll-gate", tmp_path / "mine")
