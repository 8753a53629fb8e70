"""Comprehensive tests of the order book."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import pytest

import titan


@pytest.fixture
def path(tmp_path):
    """The path of a journal."""
    return str(tmp_path / "journal")


@pytest.fixture
def book(path):
    """A book with a job."""
    book = titan.Titan(path)
    book.add([{"id": "a"}])
    return book


class TestAdd:
    """Tests of add."""

    def test_is_int(self, book):
        """An int is returned."""
        assert isinstance(book.add([{"id": "b"}]), int)

    def test_count(self, book):
        """The count is right."""
        assert book.add([{"id": "b"}, {"id": "c"}]) == 2

    @pytest.mark.parametrize("batch", [None, [], {}, "x", [1], [{}], [{"id": ""}], [{"id": "a"}], [{"id": "b", "x": 1}]])
    def test_not_valid(self, book, batch):
        """An exception is raised."""
        with pytest.raises(Exception):
            book.add(batch)

    def test_cycle(self, book):
        """An exception with a path is raised."""
        with pytest.raises(titan.CycleError) as caught:
            book.add([{"id": "b", "after": ["c"]}, {"id": "c", "after": ["b"]}])
        assert caught.value.path

    def test_key(self, book):
        """A repeat adds nothing."""
        book.add([{"id": "b"}], "k")
        assert not book.add([{"id": "b"}], "k")


class TestTake:
    """Tests of take."""

    def test_tuple(self, book):
        """A tuple is returned."""
        assert isinstance(book.take(1), tuple)

    def test_none(self, book):
        """None is returned."""
        book.take(1)
        assert book.take(1) is None

    def test_lease(self, book):
        """A job is running until its lease has passed."""
        book.take(1, 10)
        assert book.status(11)["jobs"][0]["state"] == "running"
        assert book.status(12)["jobs"][0]["state"] != "running"


class TestEnd:
    """Tests of done and fail."""

    def test_done(self, book):
        """True is returned."""
        book.take(1)
        assert book.done("a", 1, 2)

    def test_fail(self, book):
        """True is returned."""
        book.take(1)
        assert book.fail("a", 1, 2)

    def test_stale(self, book):
        """An exception is raised."""
        with pytest.raises(titan.TitanError):
            book.done("a", 7, 2)


class TestStatus:
    """Tests of status."""

    def test_keys(self, book):
        """All keys are there."""
        assert set(book.status(1)) == {"now", "counts", "jobs"}

    def test_counts(self, book):
        """Counts are ints."""
        assert all(isinstance(count, int) for count in book.status(1)["counts"].values())

    def test_len(self, book):
        """There is a job."""
        assert len(book.status(1)["jobs"]) == 1


class TestJournal:
    """Tests of the journal."""

    def test_exists(self, book, path):
        """The file exists."""
        assert os.path.exists(path)

    def test_open_again(self, book, path):
        """It can be opened again."""
        assert titan.Titan(path).status(1)

    def test_damaged_lines_are_ignored(self, book, path):
        """Damaged lines are ignored."""
        with open(path, "a") as file:
            file.write("damaged\n")
        book.add([{"id": "b"}])
        assert len(titan.Titan(path).status(1)["jobs"]) == 2

    def test_report(self, book, tmp_path):
        """The report exists."""
        book.report(str(tmp_path / "report"), 1)
        assert (tmp_path / "report").exists()


class TestMain:
    """Tests of main."""

    def test_status(self, path, capsys):
        """Something is printed."""
        assert titan.main(["status", path, "--now", "1"]) == 0
        assert capsys.readouterr().out

    def test_error(self, path):
        """The exit status is not 0."""
        assert titan.main(["done", path, "a", "1", "--now", "1"]) != 0
