"""Files are there whole or not at all."""

import stat
from pathlib import Path

import pytest

from evalforge.library.writing import write_whole


@pytest.mark.parametrize("durable", [False, True])
def test_a_file_is_replaced_whole_and_its_folder_made(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "deep" / "er" / "file.txt"
    for content in (b"first", b"second, and longer", b""):
        write_whole(path, content, durable=durable)
        assert path.read_bytes() == content
    assert [entry.name for entry in path.parent.iterdir()] == ["file.txt"]


def test_what_cannot_be_written_leaves_the_old_content_and_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    with pytest.raises(OSError, match=r"."):
        write_whole(tmp_path / "kept", b"a folder stands here")
    assert [entry.name for entry in tmp_path.iterdir()] == ["kept"]


def test_a_private_file_is_private_from_its_first_byte(tmp_path: Path) -> None:
    write_whole(tmp_path / "mine", b"x", mode=0o600)
    assert stat.S_IMODE((tmp_path / "mine").stat().st_mode) == 0o600
