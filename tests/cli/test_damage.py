"""A history that a disk, or somebody's hand, has damaged: every command that reads it says so, and none falls over."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from evalforge.cli import settings
from evalforge.cli.folder_checks import examine_history
from evalforge.cli.health_report import CheckState
from evalforge.cli.main import main
from evalforge.cli.parser import command_line
from evalforge.history.db_errors import history_error
from evalforge.history.overrides import Override, now
from evalforge.history.schema import VERSION
from evalforge.history.store import History
from evalforge.model.errors import HistoryError
from tests.history.test_store import fight

PAGE = 4096
READING = (
    ("bosses",),
    ("attempts",),
    ("attempts", "--search", "straw"),
    ("attempt", "ID"),
    ("attempt", "ID", "--verify"),
    ("compare", "ID", "ID"),
    ("replay", "ID"),
    ("card", "ID", "-o", "card.md"),
    ("progress",),
    ("override", "ID", "first_blow", "judged", "--reason", "x"),
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory, judged_home: Path) -> Path:
    """A history with two real fights, many small ones, and a level set by a person."""
    home = shutil.copytree(judged_home, tmp_path_factory.mktemp("sound"), dirs_exist_ok=True)
    path = Path(home, "attempts.sqlite3")
    with History(path) as history:
        for number in range(60):
            attempt_id = fight(
                history, 2, 1, boss=f"straw-{number % 5}", directory=f"/d/{number}", main=f"x = {number}"
            )
        result = history.get(attempt_id).result
        assert result is not None
        history.overrides.add(attempt_id, (Override(criterion_id="c0", score=0, reason="x", made_at=now()),), result)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@pytest.fixture
def history(sound: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it that may be damaged, and a place to write to."""
    monkeypatch.chdir(own_home)
    return Path(shutil.copy(sound, own_home / "attempts.sqlite3"))


def damage(path: Path, sound: Path, page: int) -> None:
    whole = bytearray(sound.read_bytes())
    whole[(page - 1) * PAGE : page * PAGE] = b"\xaa" * PAGE
    for left in path.parent.glob("attempts.sqlite3-*"):
        left.unlink()
    path.write_bytes(whole)


def first_id(path: Path) -> str:
    with History(path) as history:
        return history.page(limit=1)[0].id


def set_values(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(statement)


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_every_reading_command_survives_any_damaged_page(
    command: tuple[str, ...], history: Path, sound: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [first_id(sound) if word == "ID" else word for word in command]
    said = 0
    for page in range(1, sound.stat().st_size // PAGE + 1):
        damage(history, sound, page)
        status = main(words)
        words_said = capsys.readouterr().err
        assert status in (0, 1) or words_said.startswith("evalforge: "), page
        said += "is damaged" in words_said
    assert said


def test_whichever_page_is_damaged_doctor_says_it_in_words(history: Path, sound: Path) -> None:
    chosen = settings.load(command_line().parse_args(["doctor"]))
    for page in range(1, sound.stat().st_size // PAGE + 1):
        damage(history, sound, page)
        (check,) = examine_history(chosen)
        assert (check.state, bool(check.remedy)) == (CheckState.FAILED, True), page
        assert "damaged" in check.message or "not a database" in check.message


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_another_programs_database_is_said(
    command: tuple[str, ...], own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_values(own_home / "attempts.sqlite3", f"PRAGMA user_version = {VERSION}")
    assert main(list(command)) == 2
    assert "another program (no such table: attempts)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("statement", "command", "words"),
    [
        ("UPDATE attempts SET levels = '[['", ("progress",), "is damaged and can't be read"),
        ("UPDATE attempts SET started_at = 'yesterday'", ("attempts",), "is damaged and can't be read"),
        ("UPDATE attempts SET started_at = 'yesterday'", ("bosses",), "is damaged and can't be read"),
        ("UPDATE attempts SET started_at = 'yesterday'", ("progress",), "is damaged and can't be read"),
        ("UPDATE attempts SET state = 'asleep'", ("attempts",), "is damaged and can't be read"),
        ("UPDATE attempts SET boss_id = CAST(x'ff' AS TEXT)", ("attempts",), "is damaged (Could not decode"),
        ("UPDATE records SET receipt = '{'", ("attempt", "ID", "--verify"), "The receipt of attempt"),
        ("UPDATE overrides SET result = '{'", ("attempt", "ID"), "What was set in attempt"),
    ],
)
def test_a_value_that_is_none_is_said(
    statement: str, command: tuple[str, ...], words: str, history: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    attempt_id = first_id(history)
    set_values(history, statement)
    assert main([attempt_id if word == "ID" else word for word in command]) == 2
    assert words in capsys.readouterr().err


def test_what_cannot_be_written_keeps_nobody_from_reading(history: Path) -> None:
    set_values(history, "UPDATE attempts SET state = 'running', owner = ''")
    set_values(history, "CREATE TRIGGER full BEFORE UPDATE ON attempts BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
    with History(history) as store:
        assert {row.state.value for row in store.page()} == {"running"}


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_an_unwritable_folder_is_no_reason_to_move_the_file(own_home: Path) -> None:
    place = own_home / "closed"
    place.mkdir(mode=0o500)
    with pytest.raises(HistoryError, match="Permission denied") as raised:
        History(place / "deep" / "attempts.sqlite3")
    assert "Move the file" not in str(raised.value)


def test_an_impossible_folder_is_no_reason_to_move_the_file(own_home: Path) -> None:
    (own_home / "file").write_text("")
    with pytest.raises(HistoryError, match="can't be opened") as raised:
        History(own_home / "file" / "attempts.sqlite3")
    assert "Move the file" not in str(raised.value)


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (sqlite3.SQLITE_IOERR_WRITE, "write permission"),
        (sqlite3.SQLITE_READONLY_DBMOVED, "write permission"),
        (sqlite3.SQLITE_FULL, "free space"),
        (sqlite3.SQLITE_CANTOPEN, "write permission"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "try again"),
        (sqlite3.SQLITE_CORRUPT_INDEX, "Move the file away"),
        (sqlite3.SQLITE_NOTADB, "Move the file away"),
    ],
)
def test_the_advice_fits_the_fault(code: int, advice: str) -> None:
    error = sqlite3.OperationalError("something")
    error.sqlite_errorcode = code
    said = str(history_error(Path("/x"), error))
    assert advice in said
    assert ("Move the file" in said) == advice.startswith("Move")
