import json
import subprocess
import sys

import pytest

import titan


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal"


@pytest.fixture
def book(path):
    return titan.Titan(str(path))


def state(book, name, now):
    return next((job["state"], job["due"]) for job in book.status(now)["jobs"] if job["id"] == name)


def test_order(book):
    book.add([{"id": "b", "after": ["a"]}, {"id": "a"}])
    assert [book.take(0), book.take(0)] == [("a", 1), None]
    assert book.done("a", 1, 1)
    assert book.take(1) == ("b", 1)


def test_leases_and_rests(book):
    book.add([{"id": "a", "backoff": 2000}, {"id": "b", "after": ["a"]}, {"id": "c", "after": ["b"]}])
    book.take(0, 10)
    assert [state(book, "a", now) for now in (9, 10, 2009, 2010)] == [
        ("running", 10), ("resting", 2010), ("resting", 2010), ("ready", None),
    ]
    book.take(2010)
    book.fail("a", 2, 2011)
    assert state(book, "a", 2011) == ("resting", 5611)
    assert state(book, "c", 2011) == ("waiting", None)
    book.take(5611, 5)
    assert [state(book, name, 5616)[0] for name in "abc"] == ["failed", "blocked", "blocked"]


def test_an_attempt_that_has_ended_stays_so(book):
    book.add([{"id": "a"}])
    book.take(0)
    assert book.fail("a", 1, 5) is True
    assert book.fail("a", 1, 6) is False
    assert book.done("a", 1, 6) is False
    assert state(book, "a", 6) == ("resting", 65)


def test_a_word_after_the_lease_does_not_count(book):
    book.add([{"id": "a"}])
    book.take(0, 10)
    assert book.done("a", 1, 10) is False
    assert book.fail("a", 1, 11) is False


def test_a_job_that_is_done_does_not_fail(book):
    book.add([{"id": "a"}])
    book.take(0)
    assert book.done("a", 1, 1) is True
    assert book.fail("a", 1, 2) is False
    assert state(book, "a", 2) == ("done", None)


def test_other_attempts_are_stale(book):
    book.add([{"id": "a", "backoff": 0}])
    with pytest.raises(titan.StaleError):
        book.done("a", 1, 0)
    book.take(0)
    book.fail("a", 1, 0)
    book.take(0)
    for name, attempt in (("a", 1), ("a", 3), ("x", 1)):
        with pytest.raises(titan.StaleError):
            book.done(name, attempt, 0)


@pytest.mark.parametrize(
    "job",
    [{}, {"id": ""}, {"id": 1}, {"id": "a"}, {"id": "n", "x": 1}, {"id": "n", "after": ["x"]}, {"id": "n", "after": "a"},
     {"id": "n", "attempts": 0}, {"id": "n", "attempts": True}, {"id": "n", "backoff": -1}, {"id": "n", "backoff": 0.5}, 7],
)
def test_bad_batches(book, path, job):
    book.add([{"id": "a"}])
    before = path.read_bytes()
    with pytest.raises(titan.BatchError):
        book.add([{"id": "m"}, job], "k")
    assert path.read_bytes() == before
    assert book.add([{"id": "m"}], "k") == 1


def test_circle(book):
    with pytest.raises(titan.CycleError) as caught:
        book.add([{"id": "a", "after": ["b"]}, {"id": "b", "after": ["c"]}, {"id": "c", "after": ["b"]}])
    assert caught.value.path in (["b", "c", "b"], ["c", "b", "c"])


def test_chain(book):
    assert book.add([{"id": str(i), "after": [str(i + 1)]} for i in range(3000)] + [{"id": "3000"}]) == 3001


def test_keys(book, path):
    book.add([{"id": "a"}, {"id": "b", "after": ["a"]}], "k")
    book = titan.Titan(str(path))
    assert book.add([{"id": "a", "backoff": 60}, {"id": "b", "after": ["a", "a"]}], "k") == 0
    for other in ([{"id": "a"}], [{"id": "b", "after": ["a"]}, {"id": "a"}], [{"id": "c"}]):
        with pytest.raises(titan.ConflictError):
            book.add(other, "k")


def test_cuts(book, path):
    told = [book.status(9)]
    for call in (
        lambda: book.add([{"id": "a", "backoff": 1}], "k"), lambda: book.take(1), lambda: book.fail("a", 1, 2),
        lambda: book.take(3), lambda: book.done("a", 2, 4),
    ):
        call()
        told.append(book.status(9))
    data = path.read_bytes()
    for length in range(len(data) + 1):
        path.write_bytes(data[:length])
        again = titan.Titan(str(path))
        assert again.status(9) == told[data[:length].count(b"\n")]
        again.add([{"id": "n"}])
        assert titan.Titan(str(path)).status(9) == again.status(9)


def test_damage(book, path):
    book.add([{"id": "a"}])
    book.take(1)
    data = path.read_bytes()
    end = data.index(b"\n")
    for index in range(end):
        path.write_bytes(data[:index] + bytes([data[index] ^ 64]) + data[index + 1 :])
        with pytest.raises(titan.JournalError) as caught:
            titan.Titan(str(path))
        assert caught.value.line == 1
    path.write_bytes(data[:-2] + b"x\n")
    assert titan.Titan(str(path)).status(1)["counts"]["ready"] == 1


def run(*arguments):
    ended = subprocess.run([sys.executable, titan.__file__, *map(str, arguments)], capture_output=True, text=True)
    return ended.returncode, json.loads(ended.stdout) if ended.stdout else None


def test_commands(path, tmp_path):
    (tmp_path / "b").write_text('[{"id": "a"}]')
    assert run("add", path, tmp_path / "b") == (0, {"added": 1})
    assert run("add", path, tmp_path / "b") == (4, None)
    assert run("add", path, tmp_path / "c") == (1, None)
    assert run("take", path, "--now", 3) == (0, {"job": "a", "attempt": 1})
    assert run("take", path, "--now", 3) == (3, {"job": None})
    assert run("take", path, "--now", "x") == (2, None)
    assert run("done", path, "a", 2, "--now", 3) == (5, None)
    assert run("status", path, "--now", 3, "--report", tmp_path / "r") == (0, None)
    assert json.loads((tmp_path / "r").read_text())["counts"]["running"] == 1
