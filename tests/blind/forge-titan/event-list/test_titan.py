import subprocess
import sys
from pathlib import Path

import pytest

from titan import BatchError, ConflictError, CycleError, JournalError, StaleError, Titan

HERE = Path(__file__).parent


@pytest.fixture
def book(tmp_path):
    return Titan(str(tmp_path / "j"))


def test_take_and_done(book):
    book.add([{"id": "melt"}, {"id": "cast", "after": ["melt"]}])
    assert book.take(0) == ("melt", 1)
    assert book.take(0) is None
    assert book.done("melt", 1, 5) is True
    assert book.done("melt", 1, 5) is False
    assert book.take(6) == ("cast", 1)


def test_fail_rests(book):
    book.add([{"id": "a", "backoff": 10, "attempts": 2}, {"id": "b", "after": ["a"]}])
    book.take(0)
    book.fail("a", 1, 5)
    assert book.status(6)["jobs"][0] == {"id": "a", "state": "resting", "attempts": 1, "due": 15}
    assert book.take(14) is None
    assert book.take(15) == ("a", 2)
    book.fail("a", 2, 16)
    assert [j["state"] for j in book.status(16)["jobs"]] == ["failed", "blocked"]


def test_bad_batches(book):
    for batch in ([], [{"id": ""}], [{"id": "a", "x": 1}], [{"id": "a", "attempts": 0}]):
        with pytest.raises(BatchError):
            book.add(batch)
    with pytest.raises(CycleError):
        book.add([{"id": "a", "after": ["b"]}, {"id": "b", "after": ["a"]}])


def test_key(book):
    assert book.add([{"id": "a"}], "k") == 1
    assert book.add([{"id": "a"}], "k") == 0
    with pytest.raises(ConflictError):
        book.add([{"id": "b"}], "k")


def test_stale(book):
    book.add([{"id": "a"}])
    book.take(0)
    with pytest.raises(StaleError):
        book.done("a", 2, 1)


def test_reopen_and_damage(book):
    book.add([{"id": "a"}])
    book.take(0)
    assert Titan(book.path).status(1) == book.status(1)
    data = Path(book.path).read_text()
    Path(book.path).write_text("x" + data)
    with pytest.raises(JournalError):
        Titan(book.path)


def test_command(tmp_path):
    (tmp_path / "b.json").write_text('[{"id": "a"}]')
    call = [sys.executable, str(HERE / "titan.py"), "add", str(tmp_path / "j"), str(tmp_path / "b.json")]
    result = subprocess.run(call, capture_output=True, text=True)
    assert result.returncode == 0
    assert result.stdout.strip() == '{"added": 1}'
