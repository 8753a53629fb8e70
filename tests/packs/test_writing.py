"""Files are there whole or not at all."""

import errno
import stat
from pathlib import Path

import pytest

from evalforge.model.errors import UsageError
from evalforge.packs.atomic_files import fill_folder, write_atomically
from evalforge.packs.new_folders import create_pack


@pytest.mark.parametrize("durable", [False, True])
def test_a_file_is_replaced_whole_and_its_folder_made(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "deep" / "er" / "file.txt"
    for content in (b"first", b"second, and longer", b""):
        write_atomically(path, content, durable=durable)
        assert path.read_bytes() == content
    assert [entry.name for entry in path.parent.iterdir()] == ["file.txt"]


def test_a_failed_write_leaves_the_old_content_and_no_litter(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    with pytest.raises(OSError, match=r"."):
        write_atomically(tmp_path / "kept", b"a folder stands here")
    assert [entry.name for entry in tmp_path.iterdir()] == ["kept"]


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    write_atomically(tmp_path / "mine", b"x")
    assert stat.S_IMODE((tmp_path / "mine").stat().st_mode) == 0o600


def full_disk(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    """A disk with room for so many files, and for the beginning of one more."""
    written: list[Path] = []
    real = Path.write_bytes

    def write(path: Path, data: bytes) -> int:
        written.append(path)
        if len(written) > room:
            real(path, data[:1])
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(path, data)

    monkeypatch.setattr(Path, "write_bytes", write)


@pytest.mark.parametrize("room", range(3))
def test_a_folder_that_cannot_be_filled_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    files = [("a.py", b"1"), ("deep/er/b.py", b"2"), ("deep/c.py", b"3")]
    (tmp_path / "mine").mkdir()
    full_disk(monkeypatch, room)
    for folder in ("mine", "new/er"):
        with pytest.raises(OSError, match="No space"):
            fill_folder(tmp_path / folder, files)
    assert list(tmp_path.rglob("*")) == [tmp_path / "mine"]


def test_a_pack_is_made_again_once_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as crowded:
        full_disk(crowded, 4)
        with pytest.raises(UsageError, match="No space left"):
            create_pack("toll-gate", tmp_path)
    assert (create_pack("toll-gate", tmp_path) / "boss.yaml").is_file()
