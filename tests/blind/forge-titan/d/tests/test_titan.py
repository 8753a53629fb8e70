"""Promises of the order book. Run them with: python -m pytest"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import titan
from titan import Titan

SCRIPT = Path(titan.__file__)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "journal")


@pytest.fixture
def book(path):
    return Titan(path)


def states(book, now):
    return {job["id"]: (job["state"], job["attempts"], job["due"]) for job in book.status(now)["jobs"]}


def test_order_and_waiting(book):
    assert book.add([{"id": "cast", "after": ["melt", "melt"]}, {"id": "melt"}, {"id": "cool"}]) == 3
    assert book.take(10) == ("melt", 1)
    assert book.take(10) == ("cool", 1)
    assert book.take(10) is None
    assert book.done("melt", 1, 11) is True
    assert book.take(11) == ("cast", 1)


def test_whole_status(book):
    book.add([{"id": "a", "attempts": 1}, {"id": "b", "after": ["a"]}, {"id": "c", "after": ["b"]}, {"id": "d"}])
    book.add([{"id": "e", "after": ["d"]}, {"id": "f"}, {"id": "g"}])
    for _ in range(3):
        book.take(10, 30)
    book.fail("a", 1, 20)
    book.fail("f", 1, 20)
    counts = {"waiting": 1, "blocked": 2, "ready": 1, "running": 1, "resting": 1, "done": 0, "failed": 1}
    rows = [
        ("a", "failed", 1, None), ("b", "blocked", 0, None), ("c", "blocked", 0, None), ("d", "running", 1, 40),
        ("e", "waiting", 0, None), ("f", "resting", 1, 80), ("g", "ready", 0, None),
    ]
    jobs = [dict(zip(("id", "state", "attempts", "due"), row)) for row in rows]
    assert book.status(25) == {"now": 25, "counts": counts, "jobs": jobs}


def test_rest_to_the_second(book):
    book.add([{"id": "a", "attempts": 9, "backoff": 1000}])
    now = 0
    for attempt, rest in enumerate((1000, 2000, 3600, 3600), start=1):
        assert book.take(now) == ("a", attempt)
        assert book.fail("a", attempt, now) is True
        assert states(book, now)["a"] == ("resting", attempt, now + rest)
        assert book.take(now + rest - 1) is None
        now += rest


def test_no_backoff(book):
    book.add([{"id": "a", "backoff": 0}])
    book.take(5)
    book.fail("a", 1, 5)
    assert states(book, 5)["a"] == ("ready", 1, None)
    assert book.take(5) == ("a", 2)


def test_lease_to_the_second(book):
    book.add([{"id": "a", "backoff": 5}])
    book.take(10, 20)
    assert states(book, 29)["a"] == ("running", 1, 30)
    assert states(book, 30)["a"] == ("resting", 1, 35)
    assert book.take(34) is None
    assert book.take(100) == ("a", 2)
    assert book.take(160) is None
    assert states(book, 169)["a"] == ("resting", 2, 170)


def test_last_lease_over_blocks(book):
    book.add([{"id": "a", "attempts": 1}, {"id": "b", "after": ["a"]}])
    book.take(0)
    assert states(book, 60) == {"a": ("failed", 1, None), "b": ("blocked", 0, None)}


def test_words_that_are_late_or_said_twice(book):
    book.add([{"id": "a", "backoff": 0}])
    book.take(0)
    with pytest.raises(titan.StaleError):
        book.done("a", 1, 60)
    book.take(60)
    for attempt in (0, 1, 3):
        with pytest.raises(titan.StaleError):
            book.fail("a", attempt, 61)
    assert book.fail("a", 2, 61) is True
    assert book.fail("a", 2, 62) is False
    with pytest.raises(titan.StaleError):
        book.done("a", 2, 62)
    book.take(62)
    assert book.done("a", 3, 63) is True
    assert book.done("a", 3, 500) is False
    with pytest.raises(titan.StaleError):
        book.fail("a", 3, 64)
    with pytest.raises(titan.StaleError):
        book.done("nobody", 1, 64)


@pytest.mark.parametrize(
    "batch",
    [
        [], {}, None, "ab", [1], [{}], [{"id": ""}], [{"id": 1}], [{"id": "n", "more": 1}], [{"id": "n"}, {"id": "n"}],
        [{"id": "old"}], [{"id": "n", "after": ["nowhere"]}], [{"id": "n", "after": "old"}], [{"id": "n", "after": [1]}],
        [{"id": "n", "after": [["old"]]}], [{"id": "n", "after": None}], [{"id": "n", "attempts": 0}],
        [{"id": "n", "attempts": True}], [{"id": "n", "attempts": 1.0}], [{"id": "n", "backoff": -1}],
        [{"id": "n", "backoff": False}], [{"id": "n", "backoff": "1"}], [{"id": "n"}, {"id": "old"}], [{"after": []}],
    ],
)
def test_refused_batches_leave_no_trace(book, path, batch):
    book.add([{"id": "old"}])
    before = Path(path).read_bytes(), book.status(0)
    with pytest.raises(titan.BatchError):
        book.add(batch, "key")
    assert (Path(path).read_bytes(), book.status(0)) == before
    assert book.add([{"id": "n", "after": ["old"]}], "key") == 1


def test_circles(book):
    after = {"in": ["a"], "a": ["b", "out"], "b": ["c"], "c": ["a"], "out": []}
    with pytest.raises(titan.CycleError) as caught:
        book.add([{"id": name, "after": names} for name, names in after.items()])
    path = caught.value.path
    assert path[0] == path[-1] and sorted(path[1:]) == ["a", "b", "c"]
    assert all(right in after[left] for left, right in zip(path, path[1:]))
    with pytest.raises(titan.CycleError) as caught:
        book.add([{"id": "self", "after": ["self"]}])
    assert caught.value.path == ["self", "self"]


def test_long_chains(book):
    names = [f"j{i}" for i in range(4000)]
    batch = [{"id": name, "after": [before]} for name, before in zip(names[1:], names)]
    with pytest.raises(titan.CycleError) as caught:
        book.add([*batch, {"id": names[0], "after": names[-1:]}])
    assert len(caught.value.path) == 4001
    assert book.add([*batch, {"id": names[0], "attempts": 1}]) == 4000
    book.take(0)
    assert book.status(60)["counts"]["blocked"] == 3999


def test_keys(book, path):
    batch = [{"id": "a"}, {"id": "b"}, {"id": "c", "after": ["a", "b"]}]
    assert book.add(batch, "k") == 3
    size = os.path.getsize(path)
    for each in (book, Titan(path)):
        same = [{"backoff": 60, "id": "a"}, {"id": "b", "after": []}, {"id": "c", "after": ["b", "a", "b"], "attempts": 3}]
        assert each.add(same, "k") == 0
        assert os.path.getsize(path) == size
        for other in (batch[:2], [batch[1], batch[0], batch[2]], [{"id": "new"}], [{**batch[0], "attempts": 4}, *batch[1:]]):
            with pytest.raises(titan.ConflictError):
                each.add(other, "k")
        with pytest.raises(titan.BatchError):
            each.add(batch, "other")


def make_journal(path):
    """A journal, and what it says after each line."""
    book, said = Titan(path), [Titan(path).status(200)]
    calls = [
        lambda: book.add([{"id": "a", "backoff": 1}, {"id": "é", "after": ["a"]}], "k"),
        lambda: book.take(10),
        lambda: book.fail("a", 1, 11),
        lambda: book.take(12, 500),
        lambda: book.done("a", 2, 13),
        lambda: book.take(14, 1),
    ]
    for call in calls:
        call()
        said.append(Titan(path).status(200))
    book.close()
    return Path(path).read_bytes(), said


def test_one_line_for_each_change(path):
    data, said = make_journal(path)
    assert data.count(b"\n") == 6 and data.endswith(b"\n")
    book = Titan(path)
    book.done("a", 2, 20)
    book.add([{"id": "a", "backoff": 1}, {"id": "é", "after": ["a"]}], "k")
    book.status(20)
    assert Path(path).read_bytes() == data


def test_cut_at_every_byte(path):
    data, said = make_journal(path)
    for length in range(len(data) + 1):
        Path(path).write_bytes(data[:length])
        book = Titan(path)
        whole = data[:length].count(b"\n")
        assert book.status(200) == said[whole]
        book.add([{"id": "new"}])
        after = Path(path).read_bytes()
        kept = data[: data[:length].rfind(b"\n") + 1]
        assert after.startswith(kept) and after.count(b"\n") == whole + 1
        assert Titan(path).status(200) == book.status(200)
        book.close()


def test_changed_bytes(path):
    data, said = make_journal(path)
    for index, byte in enumerate(data):
        if byte == 10 or byte ^ 1 == 10:
            continue
        changed = data[:index] + bytes([byte ^ 1]) + data[index + 1 :]
        Path(path).write_bytes(changed)
        number = data[:index].count(b"\n") + 1
        if number == 6:
            assert Titan(path).status(200) == said[5]
        else:
            with pytest.raises(titan.JournalError) as caught:
                Titan(path)
            assert caught.value.line == number
        assert Path(path).read_bytes() == changed


def test_a_line_no_call_could_have_written(path):
    data, said = make_journal(path)
    lines = data.splitlines(keepends=True)
    Path(path).write_bytes(b"".join(lines[:2] + lines[1:]))
    with pytest.raises(titan.JournalError) as caught:
        Titan(path)
    assert caught.value.line == 3
    Path(path).write_bytes(b"".join(lines[:2] + lines[1:2]))
    assert Titan(path).status(200) == said[2]


def run(*arguments):
    done = subprocess.run([sys.executable, str(SCRIPT), *map(str, arguments)], capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def test_commands(tmp_path):
    journal, batch = tmp_path / "j", tmp_path / "b"
    batch.write_text('[{"id": "a"}]', encoding="utf-8")
    assert run("add", journal, batch, "--key", "k")[:2] == (0, {"added": 1})
    assert run("add", "--key", "k", journal, batch)[:2] == (0, {"added": 0})
    assert run("take", "--now", 5, journal, "--lease", 9)[:2] == (0, {"job": "a", "attempt": 1})
    assert run("take", journal, "--now", 5)[:2] == (3, {"job": None})
    assert run("status", journal, "--now", 5)[1]["jobs"] == [{"id": "a", "state": "running", "attempts": 1, "due": 14}]
    assert run("done", journal, "a", 1, "--now", 6)[:2] == (0, {"counted": True})
    assert run("done", journal, "--now", 6, "a", 1)[:2] == (0, {"counted": False})
    status, out, err = run("fail", journal, "a", 1, "--now", 6)
    assert (status, out) == (5, None) and err
    batch.write_text('[{"id": "b"}]', encoding="utf-8")
    assert run("add", journal, batch, "--key", "k")[0] == 5


def test_refusals(tmp_path):
    journal, batch = tmp_path / "j", tmp_path / "b"
    status, out, err = run("add", journal, batch)
    assert (status, out) == (1, None) and str(batch) in err
    status, out, err = run("status", tmp_path, "--now", 1)
    assert (status, out) == (1, None) and str(tmp_path) in err
    for text in ("[", "[]", "\xff"):
        batch.write_text(text, encoding="latin-1")
        assert run("add", journal, batch)[:2] == (4, None)
    batch.write_text('[{"id": "a", "after": ["b"]}, {"id": "b", "after": ["a"]}]', encoding="utf-8")
    status, out, err = run("add", journal, batch)
    assert status == 4 and ("a -> b -> a" in err or "b -> a -> b" in err)
    wrong = ["", "hammer j", "take j", "take j --now x", "take j --now -1", "take j --now 1.5", "take j --now 1_0",
             "take j --now 1 --lease 0", "done j a x --now 1", "take j --now 1 --what"]
    for line in wrong:
        status, out, err = run(*line.split())
        assert (status, out) == (2, None) and err
    assert not journal.exists()
    make_journal(str(journal))
    data = journal.read_bytes()
    journal.write_bytes(data.replace(b"1", b"7", 1))
    status, out, err = run("take", journal, "--now", 99)
    assert (status, out) == (6, None) and "1" in err


def test_report(tmp_path, path, monkeypatch):
    book = Titan(path)
    book.add([{"id": "a"}])
    report = tmp_path / "out" / "report"
    report.parent.mkdir()
    assert book.report(str(report), 7) is None
    assert json.loads(report.read_text(encoding="utf-8")) == book.status(7)
    assert run("status", path, "--now", 8, "--report", report) == (0, None, "")
    assert json.loads(report.read_text(encoding="utf-8"))["now"] == 8
    book.report(os.path.join(str(report.parent), "other"), 9)
    (report.parent / "other").unlink()

    def broken(*arguments, **options):
        raise OSError("no")

    monkeypatch.setattr(os, "replace", broken)
    monkeypatch.setattr(os, "rename", broken)
    with pytest.raises(OSError):
        book.report(str(report), 10)
    assert json.loads(report.read_text(encoding="utf-8"))["now"] == 8
    assert [each.name for each in report.parent.iterdir()] == ["report"]


def test_report_on_a_folder(tmp_path, path):
    (tmp_path / "folder").mkdir()
    status, out, err = run("status", path, "--now", 1, "--report", tmp_path / "folder")
    assert (status, out) == (1, None) and "folder" in err
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]
