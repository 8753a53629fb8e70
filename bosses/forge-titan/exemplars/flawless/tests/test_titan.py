"""What the order book promises."""

import json
import os

import pytest

from titan import BatchError, ConflictError, CycleError, JournalError, StaleError, Titan, TitanError
from titan.batch import find_cycle, specs_of
from titan.command import main
from titan.job import rest_after
from titan.journal import decode, encode

PAIR = [{"id": "melt", "attempts": 2, "backoff": 5}, {"id": "cast", "after": ["melt"]}]
SHORT = [{"id": "melt", "attempts": 2, "backoff": 5}]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "journal")


@pytest.fixture
def book(path):
    return Titan(path)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def rows(book, now):
    status = book.status(now)
    assert status["now"] == now
    assert sum(status["counts"].values()) == len(status["jobs"])
    for job in status["jobs"]:
        assert status["counts"][job["state"]] > 0
    return [(job["id"], job["state"], job["attempts"], job["due"]) for job in status["jobs"]]


def refuses(book, path, error, call, *args):
    before, told = content(path), book.status(10**6)
    with pytest.raises(error):
        call(*args)
    assert content(path) == before
    assert book.status(10**6) == told


class TestRules:
    def test_rests_double_up_to_an_hour(self):
        assert [rest_after(n, 50) for n in (1, 2, 3, 7, 8, 9999)] == [50, 100, 200, 3200, 3600, 3600]
        assert rest_after(12, 1) == 2048
        assert rest_after(13, 1) == 3600
        assert rest_after(5, 0) == 0

    @pytest.mark.parametrize(
        ("graph", "path"),
        [
            ({}, None),
            ({"a": ["b", "c"], "b": ["c"], "c": []}, None),
            ({"a": ["a"]}, ["a", "a"]),
            ({"x": ["a"], "a": ["d", "b"], "b": ["c"], "c": ["a"], "d": []}, ["a", "b", "c", "a"]),
        ],
    )
    def test_circles(self, graph, path):
        assert find_cycle(graph) == path

    def test_specs_have_defaults(self):
        (spec,) = specs_of([{"id": "x", "after": ["b", "a", "b"]}])
        assert spec == ("x", ("a", "b"), 3, 60)

    def test_a_line_is_sound_or_not(self):
        line = encode({"a": 1})
        assert decode(line) == {"a": 1}
        assert decode(line[:-1]) is None
        assert decode(b"00000000 \n") is None
        for at in range(len(line)):
            assert decode(line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]) is None


class TestBatches:
    @pytest.mark.parametrize(
        "batch",
        [
            {"id": "x"},
            [],
            ["x"],
            [{}],
            [{"id": ""}],
            [{"id": 1}],
            [{"id": "x", "more": 1}],
            [{"id": "x", "after": "melt"}],
            [{"id": "x", "after": [1]}],
            [{"id": "x", "attempts": 0}],
            [{"id": "x", "attempts": True}],
            [{"id": "x", "backoff": -1}],
            [{"id": "x", "backoff": 1.0}],
            [{"id": "x"}, {"id": "x"}],
            [{"id": "x"}, {"id": "melt"}],
            [{"id": "x", "after": ["nowhere"]}],
        ],
    )
    def test_what_makes_no_sense(self, book, path, batch):
        book.add(PAIR)
        refuses(book, path, BatchError, book.add, batch)
        assert book.add([{"id": "x", "attempts": 1, "backoff": 0}]) == 1

    def test_a_circle_names_its_path(self, book, path):
        book.add(PAIR)
        circle = [{"id": "a", "after": ["b"]}, {"id": "b", "after": ["melt", "a"]}]
        refuses(book, path, CycleError, book.add, circle)
        with pytest.raises(CycleError, match="a -> b -> a") as caught:
            book.add(circle)
        assert caught.value.path == ["a", "b", "a"]

    def test_keys(self, book, path):
        assert book.add(PAIR, "k") == 2
        size = len(content(path))
        words = [{**PAIR[0], "after": []}, {"id": "cast", "after": ["melt", "melt"], "backoff": 60, "attempts": 3}]
        assert book.add(words, "k") == 0
        assert Titan(path).add(PAIR, "k") == 0
        assert len(content(path)) == size
        refuses(book, path, ConflictError, book.add, PAIR[:1], "k")
        refuses(book, path, BatchError, book.add, PAIR, "other")
        refuses(book, path, BatchError, book.add, PAIR)
        assert book.add([{"id": "x"}], "other") == 1

    def test_a_long_chain(self, book):
        chain = [{"id": str(n), "after": [str(n + 1)]} for n in range(300)]
        with pytest.raises(CycleError):
            book.add([*chain, {"id": "300", "after": ["0"]}])
        book.add([*chain, {"id": "300", "attempts": 1}])
        book.take(0)
        book.fail("300", 1, 0)
        assert book.status(0)["counts"]["blocked"] == 300


class TestWork:
    def test_in_turn(self, book):
        book.add([*PAIR, {"id": "bore"}])
        assert book.take(1) == ("melt", 1)
        assert book.take(1) == ("bore", 1)
        assert book.take(1) is None
        assert rows(book, 1) == [("melt", "running", 1, 61), ("cast", "waiting", 0, None), ("bore", "running", 1, 61)]
        assert book.done("melt", 1, 2) is True
        assert rows(book, 2)[:2] == [("melt", "done", 1, None), ("cast", "ready", 0, None)]
        assert book.take(2, 7) == ("cast", 1)
        assert rows(book, 8)[1] == ("cast", "running", 1, 9)

    def test_rests_and_failing_for_good(self, book):
        book.add([*PAIR, {"id": "fit", "after": ["cast"]}])
        book.take(10)
        assert book.fail("melt", 1, 12) is True
        assert rows(book, 16)[0] == ("melt", "resting", 1, 17)
        assert book.take(16) is None
        assert rows(book, 17)[0] == ("melt", "ready", 1, None)
        assert book.take(17) == ("melt", 2)
        book.fail("melt", 2, 18)
        states = [state for _, state, _, _ in rows(book, 18)]
        assert states == ["failed", "blocked", "blocked"]
        assert book.take(99) is None

    def test_a_lease_ends_by_itself(self, book, path):
        book.add(PAIR)
        book.take(100, 30)
        assert rows(book, 129)[0] == ("melt", "running", 1, 130)
        assert rows(book, 130)[0] == ("melt", "resting", 1, 135)
        refuses(book, path, StaleError, book.done, "melt", 1, 130)
        refuses(book, path, StaleError, book.fail, "melt", 1, 130)
        assert Titan(path).take(135) == ("melt", 2)
        late = Titan(path)
        assert late.status(900)["jobs"][0]["state"] == "failed"
        again = Titan(path)
        assert again.take(900) is None

    def test_repeats_and_stale_words(self, book, path):
        book.add(PAIR)
        refuses(book, path, StaleError, book.fail, "melt", 0, 1)
        refuses(book, path, StaleError, book.done, "nobody", 1, 1)
        book.take(1)
        book.fail("melt", 1, 2)
        size = len(content(path))
        assert book.fail("melt", 1, 3) is False
        assert len(content(path)) == size
        with pytest.raises(StaleError):
            book.done("melt", 1, 3)
        book.take(7)
        with pytest.raises(StaleError):
            book.fail("melt", 1, 8)
        book.done("melt", 2, 8)
        assert book.done("melt", 2, 800) is False
        with pytest.raises(StaleError):
            book.fail("melt", 2, 800)


def life(path):
    """Work for a while; the size of the journal and the rows after each call."""
    book, after = Titan(path), [(0, [])]

    def note(now):
        after.append((os.path.getsize(path), rows(book, now), now))

    book.add(SHORT, "k")
    note(0)
    for now in (10, 20):
        attempt = book.take(now)[1]
        note(now)
        (book.fail if attempt == 1 else book.done)("melt", attempt, now + 5)
        note(now + 5)
    book.close()
    return after


class TestJournal:
    def test_every_cut(self, path):
        after = life(path)
        whole = content(path)
        for cut in range(len(whole)):
            with open(path, "wb") as file:
                file.write(whole[:cut])
            _, expected, *now = [one for one in after if one[0] <= cut][-1]
            book = Titan(path)
            assert rows(book, *(now or [0])) == expected
            if cut % 5:
                continue
            book.add([{"id": "new"}])
            book.close()
            assert rows(Titan(path), *(now or [0]))[-1] == ("new", "ready", 0, None)
            assert content(path).count(b"\n") == whole[:cut].count(b"\n") + 1

    def test_every_changed_byte(self, path):
        after = life(path)
        whole = content(path)
        last = after[-2][0]
        for at in range(0, len(whole), 3):
            if whole[at] == 10:
                continue
            changed = whole[:at] + bytes([whole[at] ^ 2]) + whole[at + 1 :]
            with open(path, "wb") as file:
                file.write(changed)
            if at >= last:
                assert rows(Titan(path), 25) == after[-2][1]
                continue
            with pytest.raises(JournalError) as caught:
                Titan(path)
            assert caught.value.line == whole[:at].count(b"\n") + 1
            assert content(path) == changed

    def test_looking_makes_no_journal(self, book, path):
        assert book.status(3)["jobs"] == []
        assert book.take(3) is None
        assert not os.path.exists(path)
        book.close()

    def test_a_folder_is_no_journal(self, tmp_path):
        with pytest.raises(OSError):
            Titan(str(tmp_path))


class TestReport:
    def test_it_is_the_status(self, book, tmp_path):
        book.add(PAIR)
        target = tmp_path / "told"
        target.write_text("old" * 999)
        book.report(str(target), 4)
        assert json.loads(target.read_text()) == book.status(4)
        assert sorted(os.listdir(tmp_path)) == ["journal", "told"]

    def test_a_swap_that_fails(self, book, tmp_path, monkeypatch):
        target = tmp_path / "told"
        target.write_text("old")

        def no(*args):
            raise OSError("no")

        monkeypatch.setattr(os, "replace", no)
        with pytest.raises(OSError, match="no"):
            book.report(str(target), 4)
        assert os.listdir(tmp_path) == ["told"]
        assert target.read_text() == "old"
        with pytest.raises(OSError):
            book.report(str(tmp_path / "attic" / "told"), 4)


class TestCommands:
    @pytest.fixture
    def run(self, path, tmp_path, capsys):
        (tmp_path / "batch").write_text(json.dumps(PAIR))

        def run(command, *args):
            try:
                status = main([command, path, *args])
            except SystemExit as end:
                status = end.code
            out, err = capsys.readouterr()
            assert bool(err) == (status not in (0, 3))
            return status, json.loads(out) if out else None, err

        return run

    def test_a_day(self, run, tmp_path):
        batch = str(tmp_path / "batch")
        assert run("add", batch, "--key", "k")[:2] == (0, {"added": 2})
        assert run("add", batch, "--key", "k")[:2] == (0, {"added": 0})
        assert run("take", "--now", "1", "--lease", "9")[:2] == (0, {"job": "melt", "attempt": 1})
        assert run("take", "--now", "1")[:2] == (3, {"job": None})
        assert run("fail", "melt", "1", "--now", "2")[:2] == (0, {"counted": True})
        assert run("take", "--now", "7")[1] == {"job": "melt", "attempt": 2}
        assert run("done", "melt", "2", "--now", "66")[:2] == (0, {"counted": True})
        assert run("done", "melt", "2", "--now", "99")[:2] == (0, {"counted": False})
        status, told, _ = run("status", "--now", "99")
        assert (status, told["counts"]["done"]) == (0, 1)
        assert run("status", "--now", "99", "--report", str(tmp_path / "told"))[:2] == (0, None)
        assert json.loads((tmp_path / "told").read_text()) == told

    @pytest.mark.parametrize(
        ("status", "args"),
        [
            (1, ["add", "absent"]),
            (2, ["take", "--now", "-1"]),
            (2, ["take", "--now", "x"]),
            (2, ["take", "--now", "1", "--lease", "0"]),
            (2, ["done", "melt", "x", "--now", "1"]),
            (2, ["status"]),
            (2, ["forget"]),
            (5, ["done", "melt", "1", "--now", "1"]),
        ],
    )
    def test_refusals(self, run, status, args):
        told = run(*args)
        assert told[:2] == (status, None)

    @pytest.mark.parametrize(
        ("text", "words"),
        [(b"{", "JSON"), (b"\xff", "JSON"), (b"[]", "batch"), (b'[{"id":"a","after":["a"]}]', "a -> a")],
    )
    def test_refused_batches(self, run, tmp_path, text, words):
        (tmp_path / "batch").write_bytes(text)
        status, out, err = run("add", str(tmp_path / "batch"))
        assert (status, out) == (4, None)
        assert words in err

    def test_a_damaged_journal(self, run, path):
        life(path)
        with open(path, "r+b") as file:
            file.seek(3)
            file.write(b"?")
        status, out, err = run("status", "--now", "1")
        assert (status, out) == (6, None)
        assert "line 1" in err

    def test_errors_have_one_base(self):
        for error in (BatchError, ConflictError, StaleError, JournalError):
            assert issubclass(error, TitanError)
