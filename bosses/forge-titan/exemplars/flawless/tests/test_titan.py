"""What the order book promises."""

import json
import os
import runpy
import sys
import tracemalloc
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import titan
from titan import BatchError, ConflictError, CycleError, JournalError, StaleError, Titan, TitanError

HERE = Path(titan.__file__)
ENTRY = str(HERE.parent if HERE.name == "__init__.py" else HERE)
"""What python is called with: the file titan.py, or the folder of the package."""

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
    assert set(status) == {"now", "counts", "jobs"}
    assert set(status["counts"]) == {"waiting", "blocked", "ready", "running", "resting", "done", "failed"}
    for state, count in status["counts"].items():
        assert count == sum(job["state"] == state for job in status["jobs"])
    return [(job["id"], job["state"], job["attempts"], job["due"]) for job in status["jobs"]]


def refuses(book, path, error, call, *args):
    before, told = content(path), book.status(10**6)
    with pytest.raises(error):
        call(*args)
    assert content(path) == before
    assert book.status(10**6) == told


class TestBatches:
    @pytest.mark.parametrize(
        "batch",
        [
            {"id": "x"},
            [],
            [{"id": "x", "after": None}],
            [{"id": "x", "attempts": 2.0}],
            [{"id": "x", "backoff": False}],
            [{"id": "x"}, {"id": "y", "retries": 3}],
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
        with pytest.raises(CycleError) as caught:
            book.add(circle)
        assert caught.value.path in (["a", "b", "a"], ["b", "a", "b"])

    def test_the_path_of_a_circle_has_no_tail(self, book):
        way_in = [{"id": "a0", "after": ["b"]}, {"id": "z", "after": ["b"]}]
        circle = [{"id": "b", "after": ["c"]}, {"id": "c", "after": ["d"]}, {"id": "d", "after": ["b"]}]
        with pytest.raises(CycleError) as caught:
            book.add([*way_in, *circle])
        path = caught.value.path
        assert path[0] == path[-1]
        assert "".join(path[:-1]) in ("bcd", "cdb", "dbc")

    def test_a_job_that_waits_for_itself(self, book):
        with pytest.raises(CycleError) as caught:
            book.add([{"id": "a", "after": ["a"]}])
        assert caught.value.path == ["a", "a"]

    def test_ids_are_any_text(self, book, path):
        names = [" ", "\u2167 \u2192", 'a "quoted"\nline\\', "\0", "\n"]
        assert book.add([{"id": name} for name in names]) == 5
        assert [name for name, *_ in rows(Titan(path), 0)] == names

    def test_keys(self, book, path):
        assert book.add(PAIR, "k") == 2
        size = len(content(path))
        words = [{**PAIR[0], "after": []}, {"id": "cast", "after": ["melt", "melt"], "backoff": 60, "attempts": 3}]
        assert book.add(words, "k") == 0
        assert Titan(path).add(PAIR, "k") == 0
        assert len(content(path)) == size
        refuses(book, path, ConflictError, book.add, PAIR[:1], "k")
        refuses(book, path, ConflictError, book.add, [{**PAIR[0], "attempts": 3}, PAIR[1]], "k")
        refuses(book, path, ConflictError, Titan(path).add, PAIR[::-1], "k")
        refuses(book, path, BatchError, book.add, PAIR, "other")
        refuses(book, path, BatchError, book.add, PAIR)
        assert book.add([{"id": "x"}], "other") == 1

    def test_after_is_a_set(self, book):
        book.add([{"id": "a"}, {"id": "b"}, {"id": "c", "after": ["a", "b"]}], "k")
        assert book.add([{"id": "a"}, {"id": "b"}, {"id": "c", "after": ["b", "a", "b"]}], "k") == 0
        with pytest.raises(ConflictError):
            book.add([{"id": "a"}, {"id": "b"}, {"id": "c", "after": ["a"]}], "k")

    def test_a_long_chain(self, book):
        chain = [{"id": str(n), "after": [str(n + 1)]} for n in range(1500)]
        with pytest.raises(CycleError):
            book.add([*chain, {"id": "1500", "after": ["0"]}])
        book.add([*chain, {"id": "1500", "attempts": 1}])
        book.take(0)
        book.fail("1500", 1, 0)
        assert book.status(0)["counts"]["blocked"] == 1500


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

    def test_a_job_waits_for_all_it_names(self, book):
        book.add([{"id": "fit", "after": ["saw", "cast"]}, {"id": "cast"}, {"id": "saw"}])
        assert book.take(1) == ("cast", 1)
        book.done("cast", 1, 1)
        assert rows(book, 1)[0] == ("fit", "waiting", 0, None)
        assert book.take(1) == ("saw", 1)
        assert book.take(1) is None
        book.done("saw", 1, 1)
        assert book.take(1) == ("fit", 1)

    def test_rests_double_up_to_an_hour(self, book):
        book.add([{"id": "a", "attempts": 99, "backoff": 50}])
        now = 0
        for attempt, rest in enumerate([50, 100, 200, 400, 800, 1600, 3200, 3600, 3600], start=1):
            assert book.take(now) == ("a", attempt)
            assert book.fail("a", attempt, now) is True
            assert rows(book, now + rest - 1) == [("a", "resting", attempt, now + rest)]
            now += rest
            assert rows(book, now) == [("a", "ready", attempt, None)]

    def test_a_rested_job_keeps_its_turn(self, book):
        book.add([{"id": "a", "backoff": 1}, {"id": "b"}])
        book.take(0)
        book.fail("a", 1, 0)
        assert book.take(9) == ("a", 2)
        assert [name for name, *_ in rows(book, 9)] == ["a", "b"]

    def test_what_nobody_gave(self, book):
        book.add([{"id": "a"}])
        book.take(5)
        assert rows(book, 5) == [("a", "running", 1, 65)]
        book.fail("a", 1, 6)
        assert rows(book, 6) == [("a", "resting", 1, 66)]
        book.take(66)
        book.fail("a", 2, 67)
        book.take(187)
        book.fail("a", 3, 187)
        assert rows(book, 187) == [("a", "failed", 3, None)]

    def test_what_waits_is_blocked_as_soon_as_a_lease_is_over(self, book):
        book.add([{"id": "a", "attempts": 1}, {"id": "b", "after": ["a"]}, {"id": "c", "after": ["b"]}])
        book.take(0, 10)
        assert [state for _, state, _, _ in rows(book, 10)] == ["failed", "blocked", "blocked"]

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
        with pytest.raises(StaleError):
            book.done("melt", 1, 8)
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
            if whole[at] == 10 or whole[at] ^ 2 == 10:
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

    def test_a_changed_byte_in_the_last_line(self, path):
        after = life(path)
        whole = content(path)
        for at in range(after[-2][0], len(whole) - 1):
            flipped = whole[:at] + bytes([whole[at] ^ (2 if whole[at] ^ 2 != 10 else 4)]) + whole[at + 1 :]
            swapped = whole[:at] + whole[at : at + 2][::-1] + whole[at + 2 :]
            for changed in {flipped, swapped} - {whole}:
                if not changed.endswith(b"\n"):
                    continue
                with open(path, "wb") as file:
                    file.write(changed)
                assert rows(Titan(path), 25) == after[-2][1]

    @pytest.mark.parametrize("tail", [b"\0" * 99, b"x", b"\n", b"{}\n", b"\0\0\n", b"00000000 \n"])
    def test_rubbish_at_the_end(self, path, tail):
        after = life(path)
        whole = content(path)
        with open(path, "ab") as file:
            file.write(tail)
        book = Titan(path)
        assert rows(book, 25) == after[-1][1]
        book.add([{"id": "new"}])
        book.close()
        assert content(path).startswith(whole)
        assert rows(Titan(path), 25) == [*after[-1][1], ("new", "ready", 0, None)]

    def test_a_finished_call_is_in_the_file(self, book, path, tmp_path):
        for number in range(3):
            book.add([{"id": str(number)}])
            assert content(path).count(b"\n") == number + 1
            copy = tmp_path / "copy"
            copy.write_bytes(content(path))
            assert rows(Titan(str(copy)), 0) == rows(book, 0)

    def test_what_was_known_goes_on(self, path):
        for number in range(3):
            book = Titan(path)
            book.add([{"id": str(number)}])
            book.close()
        assert [name for name, *_ in rows(Titan(path), 0)] == ["0", "1", "2"]

    def test_memory_does_not_grow_with_the_journal(self, path):
        book = Titan(path)
        name = "x" * 5000
        book.add([{"id": name, "attempts": 10**6, "backoff": 0}])
        for attempt in range(1, 401):
            book.take(attempt)
            book.fail(name, attempt, attempt)
        book.close()
        tracemalloc.start()
        try:
            again = Titan(path)
            assert tracemalloc.get_traced_memory()[1] < 500_000
        finally:
            tracemalloc.stop()
        assert again.take(999) == (name, 401)

    def test_books_know_nothing_of_each_other(self, path):
        one, other = Titan(path), Titan(path + "2")
        assert [one.add(PAIR, "k"), other.add(PAIR[:1], "k")] == [2, 1]
        assert [one.take(0), other.take(0)] == [("melt", 1), ("melt", 1)]
        assert len(other.status(0)["jobs"]) == 1

    def test_looking_makes_no_journal(self, book, path):
        assert book.status(3)["jobs"] == []
        assert book.take(3) is None
        assert not os.path.exists(path)
        book.close()

    def test_a_folder_is_no_journal(self, tmp_path):
        with pytest.raises(OSError):
            Titan(str(tmp_path))


def on_swap(monkeypatch, witness):
    """Call a witness with source and target before any swap, by whichever name it is done."""
    for name in ("replace", "rename"):
        real = getattr(os, name)

        def swap(source, target, real=real):
            witness(source, target)
            return real(source, target)

        monkeypatch.setattr(os, name, swap)


class TestReport:
    @pytest.fixture
    def target(self, tmp_path):
        (tmp_path / "desk").mkdir()
        (tmp_path / "desk" / "told").write_text("old" * 999)
        return tmp_path / "desk" / "told"

    def test_it_is_the_status(self, book, target):
        book.add(PAIR)
        assert book.report(str(target), 4) is None
        assert json.loads(target.read_text()) == book.status(4)
        assert os.listdir(target.parent) == ["told"]

    def test_it_is_whole_at_the_swap(self, book, target, monkeypatch):
        book.add(PAIR)
        seen = []

        def see(source, _):
            seen.append([json.loads(Path(source).read_text()), target.read_text()])
            assert os.path.samefile(os.path.dirname(os.path.abspath(source)), target.parent)

        on_swap(monkeypatch, see)
        book.report(str(target), 4)
        assert seen == [[book.status(4), "old" * 999]]

    def test_a_swap_that_fails(self, book, target, monkeypatch):
        def no(*_):
            raise OSError("no")

        with monkeypatch.context() as patched:
            on_swap(patched, no)
            with pytest.raises(OSError, match="no"):
                book.report(str(target), 4)
        assert os.listdir(target.parent) == ["told"]
        assert target.read_text() == "old" * 999
        with pytest.raises(OSError):
            book.report(str(target.parent / "attic" / "told"), 4)


class TestCommands:
    @pytest.fixture
    def run(self, path, tmp_path, monkeypatch, capsys):
        (tmp_path / "batch").write_text(json.dumps(PAIR))
        monkeypatch.chdir(tmp_path)

        def run(*args):
            monkeypatch.setattr(sys, "argv", [ENTRY, *args])
            status = 0
            try:
                runpy.run_path(ENTRY, run_name="__main__")
            except SystemExit as end:
                status = end.code or 0
            out, err = capsys.readouterr()
            assert err or status in (0, 3)
            return status, json.loads(out) if out else None, err

        return run

    def test_a_day(self, run, tmp_path):
        assert run("take", "journal", "--now", "1")[:2] == (3, {"job": None})
        assert not (tmp_path / "journal").exists()
        assert run("add", "--key", "k", "journal", "batch")[:2] == (0, {"added": 2})
        assert run("add", "journal", "batch", "--key", "k")[:2] == (0, {"added": 0})
        assert run("take", "journal", "--now", "1", "--lease", "9")[:2] == (0, {"job": "melt", "attempt": 1})
        assert run("status", "--now", "1", "journal")[1]["jobs"][0]["due"] == 10
        assert run("take", "journal", "--now", "1")[:2] == (3, {"job": None})
        assert run("fail", "journal", "melt", "1", "--now", "2")[:2] == (0, {"counted": True})
        assert run("take", "journal", "--now", "7")[1] == {"job": "melt", "attempt": 2}
        assert run("done", "journal", "melt", "2", "--now", "66")[:2] == (0, {"counted": True})
        assert run("done", "journal", "melt", "2", "--now", "99")[:2] == (0, {"counted": False})
        status, told, _ = run("status", "journal", "--now", "99")
        assert (status, told) == (0, Titan("journal").status(99))
        assert run("status", "journal", "--now", "99", "--report", "told")[:2] == (0, None)
        assert json.loads((tmp_path / "told").read_text()) == told
        assert sorted(os.listdir()) == ["batch", "journal", "told"]

    @pytest.mark.parametrize(
        ("status", "args", "words"),
        [
            (1, ["add", "journal", "absent"], "absent"),
            (1, ["add", "attic/journal", "batch"], "attic"),
            (1, ["status", "journal", "--now", "1", "--report", "attic/told"], "attic"),
            (2, ["take", "journal", "--now", "-1"], ""),
            (2, ["take", "journal", "--now", "x"], ""),
            (2, ["take", "journal", "--now", "1", "--lease", "0"], ""),
            (2, ["status", "journal", "--now", "1.5"], ""),
            (2, ["done", "journal", "melt", "x", "--now", "1"], ""),
            (2, ["forget", "journal"], ""),
            (4, ["add", "journal", "batch"], ""),
            (5, ["add", "journal", "other", "--key", "k"], ""),
            (5, ["done", "journal", "melt", "1", "--now", "1"], ""),
            (5, ["fail", "journal", "nobody", "1", "--now", "1"], ""),
        ],
    )
    def test_refusals(self, run, tmp_path, status, args, words):
        (tmp_path / "other").write_text('[{"id": "saw"}]')
        run("add", "journal", "batch", "--key", "k")
        before = (tmp_path / "journal").read_bytes()
        found, out, err = run(*args)
        assert (found, out) == (status, None)
        assert words in err
        assert (tmp_path / "journal").read_bytes() == before

    @pytest.mark.parametrize(
        ("text", "words"),
        [(b"{", ""), (b'[{"id": "\xff"}]', ""), (b"", ""), (b"[]", ""), (b'[{"id":"a","after":["a"]}]', "a -> a")],
    )
    def test_refused_batches(self, run, tmp_path, text, words):
        (tmp_path / "batch").write_bytes(text)
        status, out, err = run("add", "journal", "batch")
        assert (status, out) == (4, None)
        assert words in err

    def test_a_damaged_journal(self, run, path):
        life(path)
        whole = content(path)
        second = whole.index(b"\n") + 4
        with open(path, "wb") as file:
            file.write(whole[:second] + bytes([whole[second] ^ 1]) + whole[second + 1 :])
        status, out, err = run("status", "journal", "--now", "1")
        assert (status, out) == (6, None)
        assert "2" in err

    def test_errors_have_one_base(self):
        for error in (BatchError, ConflictError, StaleError, JournalError):
            assert issubclass(error, TitanError)
        assert issubclass(CycleError, BatchError)
