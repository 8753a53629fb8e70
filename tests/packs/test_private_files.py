"""What the game keeps is its user's alone, whatever the umask."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalforge.history.store import History
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.private_files import close_to_others
from tests import command_line


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def open_files(folder: Path) -> list[str]:
    """All below a folder that somebody else has a permission for."""
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.lstat().st_mode & 0o077 and not path.is_symlink()
    ]


def test_a_fight_leaves_nothing_to_other_users(tmp_path: Path, bosses: Path, warm_engine: None) -> None:
    state = tmp_path / "state"
    hand_in = bosses / "training-dummy" / "exemplars" / "first-win"
    ended = command_line.run("judge", "training-dummy", hand_in, EVALFORGE_HOME=str(state))
    assert ended.returncode == 0, ended.stderr
    assert mode(state) == 0o700
    assert mode(state / "attempts.sqlite3") == 0o600
    assert not open_files(state)


def test_a_written_file_brings_only_private_folders(tmp_path: Path) -> None:
    write_atomically(tmp_path / "state" / "lab" / "evidence" / "one.json", b"{}")
    assert not open_files(tmp_path)
    assert (tmp_path / "state" / "lab" / "evidence" / "one.json").read_bytes() == b"{}"


def test_a_new_history_is_private_with_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "state" / "attempts.sqlite3"
    with History(path) as history:
        assert history.count() == 0
        assert {mode(file) for file in path.parent.iterdir()} == {0o600}
    assert mode(path.parent) == 0o700


def test_an_open_history_is_closed_to_others(tmp_path: Path) -> None:
    path = tmp_path / "attempts.sqlite3"
    sqlite3.connect(path).close()
    path.touch(0o644)
    path.chmod(0o644)
    with History(path):
        assert mode(path) == 0o600


def test_an_open_state_folder_is_mended_and_said_once(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir(0o755)
    first, second = (command_line.run("attempts", EVALFORGE_HOME=str(state)) for _ in range(2))
    assert f"Other users of this machine could open {state}; that is closed now." in first.stderr
    assert not second.stderr
    assert mode(state) == 0o700


def test_shared_folders_and_homes_stay_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared, home = tmp_path / "shared", tmp_path / "home"
    for folder, permissions in ((shared, 0o1777), (home, 0o755)):
        folder.mkdir()
        folder.chmod(permissions)
    monkeypatch.setenv("HOME", str(home))
    assert not any(map(close_to_others, (shared, home, tmp_path)))
    assert (mode(shared), mode(home)) == (0o1777, 0o755)


def test_a_file_that_existed_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    write_atomically(path, b"first")
    assert mode(path) == 0o600
    path.chmod(0o644)
    write_atomically(path, b"second")
    assert (path.read_bytes(), mode(path)) == (b"second", 0o644)
