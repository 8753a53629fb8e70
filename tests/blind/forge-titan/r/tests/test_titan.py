import json
import os

import pytest

import titan
from titan import BatchError, ConflictError, CycleError, JournalError, StaleError, Titan


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "journal")


@pytest.fixture
def book(path):
    return Titan(path)


def states(book, now):
    return {job["id"]: (job["state"], job["due"]) for job in book.status(now)["jobs"]}


def content(path):
    with open(path, "rb") as file:
        return file.read()


def test_order_waiting_and_done(book):
    assert book.add([{"id": "cast", "after": ["melt", "melt"]}, {"id": "melt"}]) == 2
    assert book.take(5) == ("melt", 1)
    assert book.take(5) is None
    assert states(book, 5) == {"cast": ("waiting", None), "melt": ("running", 65)}
    assert book.done("melt", 1, 6) is True
    assert book.done("melt", 1, 7) is False
    assert book.take(7) == ("cast", 1)


def test_rests_double_and_the_last_failure_blocks(book):
    book.add([{"id": "a", "backoff": 10}, {"id": "b", "after": ["a"]}, {"id": "c", "after": ["b"]}])
    for now, due in ((0, 10), (10, 30)):
        book.take(now)
        book.fail("a", 1 if now == 0 else 2, now)
        assert states(book, due - 1)["a"] == ("resting", due)
        assert states(book, due)["a"] == ("ready", None)
    book.take(30)
    book.fail("a", 3, 31)
    assert [state for state, _ in states(book, 31).values()] == ["failed", "blocked", "blocked"]
    assert book.status(31)["counts"] == {
        "waiting": 0, "blocked": 2, "ready": 0, "running": 0, "resting": 0, "done": 0, "failed": 1,
    }


def test_a_lease_ends_by_itself(book):
    book.add([{"id": "a", "backoff": 5}])
    book.take(0, lease=10)
    assert states(book, 9)["a"] == ("running", 10)
    assert states(book, 10)["a"] == ("resting", 15)
    with pytest.raises(StaleError):
        book.done("a", 1, 10)
    assert book.fail("a", 1, 12) is False
    assert book.take(15) == ("a", 2)


@pytest.mark.parametrize("word, job, attempt", [("fail", "a", 1), ("done", "a", 2), ("done", "x", 1), ("done", "b", 0)])
def test_stale_words(book, path, word, job, attempt):
    book.add([{"id": "a"}, {"id": "b"}])
    book.take(0)
    book.done("a", 1, 1)
    before = content(path)
    with pytest.raises(StaleError):
        getattr(book, word)(job, attempt, 1)
    assert content(path) == before


@pytest.mark.parametrize(
    "batch",
    [
        [], {}, None, ["a"], [{}], [{"id": ""}], [{"id": 1}], [{"id": "a"}, {"id": "a"}], [{"id": "old"}],
        [{"id": "a", "after": "old"}], [{"id": "a", "after": ["nowhere"]}], [{"id": "a", "after": [[]]}],
        [{"id": "a", "attempts": 0}], [{"id": "a", "attempts": True}], [{"id": "a", "backoff": -1}],
        [{"id": "a", "backoff": 1.0}], [{"id": "a", "colour": "red"}],
    ],
)
def test_senseless_batches(book, path, batch):
    book.add([{"id": "old"}])
    before = content(path)
    with pytest.raises(BatchError):
        book.add(batch, key="k")
    assert content(path) == before and len(book.status(0)["jobs"]) == 1
    assert book.add([{"id": "new"}], key="k") == 1


def test_cycles_are_paths(book):
    with pytest.raises(CycleError) as caught:
        book.add([{"id": "x", "after": ["a"]}, *({"id": i, "after": [j]} for i, j in ("ab", "bc", "ca"))])
    assert caught.value.path in (list("abca"), list("bcab"), list("cabc"))


def test_long_chains(book):
    names = [f"job {n}" for n in range(5000)]
    batch = [{"id": name, "after": names[n + 1 : n + 2], "attempts": 1} for n, name in enumerate(names)]
    assert book.add(batch) == 5000
    book.take(0)
    book.fail(names[-1], 1, 0)
    assert book.status(0)["counts"]["blocked"] == 4999
    with pytest.raises(CycleError) as caught:
        Titan(os.devnull).add(batch[:-1] + [{"id": names[-1], "after": [names[0]]}])
    assert len(caught.value.path) == 5001


def test_keys(book, path):
    batch = [{"id": "a"}, {"id": "b", "after": ["a", "a"]}]
    assert book.add(batch, key="k") == 2
    again = Titan(path)
    assert again.add([{"id": "a", "attempts": 3, "backoff": 60, "after": []}, {"after": ["a"], "id": "b"}], "k") == 0
    for other in (batch[:1], batch[::-1], [{"id": "z"}]):
        with pytest.raises(ConflictError):
            again.add(other, key="k")


def test_cut_at_every_byte(tmp_path, path):
    book = Titan(path)
    snapshots = {0: []}
    for change in (
        lambda: book.add([{"id": "a"}, {"id": "ü", "after": ["a"]}], key="k"),
        lambda: book.take(1),
        lambda: book.done("a", 1, 2),
        lambda: book.take(3),
        lambda: book.fail("ü", 1, 4),
    ):
        before = content(path) if os.path.exists(path) else b""
        change()
        assert content(path).startswith(before) and content(path).count(b"\n") == before.count(b"\n") + 1
        snapshots[len(content(path))] = book.status(5)["jobs"]
    whole, cut = content(path), str(tmp_path / "cut")
    for length in range(len(whole) + 1):
        with open(cut, "wb") as file:
            file.write(whole[:length])
        torn = Titan(cut)
        sound = max(end for end in snapshots if end <= length)
        assert torn.status(5)["jobs"] == snapshots[sound]
        torn.add([{"id": "next"}])
        assert content(cut).startswith(whole[:sound]) and content(cut).count(b"\n") == whole[:sound].count(b"\n") + 1


def test_damage_is_refused_with_its_line(path):
    book = Titan(path)
    for name in "abc":
        book.add([{"id": name}])
    whole = content(path)
    for position in range(len(whole)):
        if whole[position] == 10:
            continue
        damaged = whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :]
        if damaged.count(b"\n") != 3:
            continue
        with open(path, "wb") as file:
            file.write(damaged)
        line = whole[:position].count(b"\n") + 1
        if line == 3:
            assert len(Titan(path).status(0)["jobs"]) == 2
        else:
            with pytest.raises(JournalError) as caught:
                Titan(path)
            assert caught.value.line == line
        assert content(path) == damaged


def test_report_swaps_or_leaves_nothing(book, tmp_path, monkeypatch):
    book.add([{"id": "a"}])
    target = tmp_path / "report.json"
    assert book.report(str(target), 3) is None
    assert json.loads(target.read_text()) == book.status(3)

    def refuse(*names):
        raise PermissionError("no")

    monkeypatch.setattr(os, "replace", refuse)
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(PermissionError):
        book.report(str(target), 4)
    assert sorted(os.listdir(tmp_path)) == before and json.loads(target.read_text())["now"] == 3


def run(capsys, *arguments):
    try:
        code = titan.main([str(argument) for argument in arguments])
    except SystemExit as end:
        code = end.code
    out, err = capsys.readouterr()
    return code, json.loads(out) if out else None, err


def test_command_line(capsys, path, tmp_path):
    batch = tmp_path / "batch.json"
    batch.write_text('[{"id": "a"}]')
    assert run(capsys, "add", path, batch, "--key", "k")[:2] == (0, {"added": 1})
    assert run(capsys, "take", "--now", 1, path, "--lease", 5)[:2] == (0, {"job": "a", "attempt": 1})
    assert run(capsys, "take", path, "--now", 1)[:2] == (3, {"job": None})
    assert run(capsys, "done", path, "a", 1, "--now", 2)[:2] == (0, {"counted": True})
    assert run(capsys, "status", path, "--now", 2)[1]["counts"]["done"] == 1
    assert run(capsys, "status", path, "--now", 2, "--report", tmp_path / "r")[:2] == (0, None)


def test_command_line_refusals(capsys, path, tmp_path):
    (tmp_path / "bad").write_text("[")
    (tmp_path / "circle").write_text('[{"id": "a", "after": ["b"]}, {"id": "b", "after": ["a"]}]')
    (tmp_path / "damaged").write_bytes(b"one\ntwo\n")
    for code, part, arguments in (
        (1, "absent", ("add", path, tmp_path / "absent")),
        (2, "", ("melt", path)),
        (2, "", ("take", path, "--now", "-1")),
        (2, "", ("take", path, "--now", "1", "--lease", "0")),
        (2, "", ("done", path, "a", "x", "--now", "1")),
        (4, "bad", ("add", path, tmp_path / "bad")),
        (4, " -> ", ("add", path, tmp_path / "circle")),
        (5, "a", ("done", path, "a", "1", "--now", "1")),
        (6, "1", ("status", tmp_path / "damaged", "--now", "1")),
    ):
        result = run(capsys, *arguments)
        assert result[:2] == (code, None) and result[2] and part in result[2]
