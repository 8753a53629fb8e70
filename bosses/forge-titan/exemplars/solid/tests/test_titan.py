import json

import pytest

import titan
from titan import Titan

JOBS = [{"id": "a", "attempts": 2, "backoff": 10}, {"id": "b", "after": ["a"]}]


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "journal")


def states(book, now):
    return [job["state"] for job in book.status(now)["jobs"]]


def test_jobs_in_turn(path):
    book = Titan(path)
    assert book.add(JOBS) == 2
    assert book.take(1) == ("a", 1)
    assert states(book, 1) == ["running", "waiting"]
    assert book.done("a", 1, 2)
    assert book.take(2) == ("b", 1)


def test_rest_and_lease(path):
    book = Titan(path)
    book.add(JOBS)
    book.take(1, 5)
    assert states(book, 6) == ["resting", "waiting"]
    assert states(book, 16) == ["ready", "waiting"]
    book.take(16)
    book.fail("a", 2, 17)
    assert states(book, 17) == ["failed", "blocked"]


def test_every_cut(path):
    book = Titan(path)
    book.add(JOBS)
    first = open(path, "rb").read()
    book.take(1)
    book.close()
    content = open(path, "rb").read()
    for cut in range(len(content)):
        with open(path, "wb") as file:
            file.write(content[:cut])
        assert states(Titan(path), 1) == (["ready", "waiting"] if cut >= len(first) else [])


def test_damage(path):
    book = Titan(path)
    book.add(JOBS)
    book.take(1)
    book.close()
    content = open(path, "rb").read()
    with open(path, "wb") as file:
        file.write(b"x" + content[1:])
    with pytest.raises(titan.JournalError) as caught:
        Titan(path)
    assert caught.value.line == 1


def test_circle(path):
    with pytest.raises(titan.CycleError) as caught:
        Titan(path).add([{"id": "a", "after": ["b"]}, {"id": "b", "after": ["a"]}])
    assert caught.value.path in (["a", "b", "a"], ["b", "a", "b"])


def test_bad_batch(path):
    with pytest.raises(titan.BatchError):
        Titan(path).add([{"id": "a", "attempts": True}])


def test_stale(path):
    book = Titan(path)
    book.add(JOBS)
    with pytest.raises(titan.StaleError):
        book.done("a", 1, 5)


def test_command_line(path, tmp_path, capsys):
    batch = tmp_path / "batch"
    batch.write_text(json.dumps(JOBS))
    assert titan.main(["add", path, str(batch)]) == 0
    assert json.loads(capsys.readouterr().out) == {"added": 2}
    assert titan.main(["take", path, "--now", "x"]) == 2
    assert titan.main(["add", path, "nowhere"]) == 1
