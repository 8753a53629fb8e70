import pytest

from titan import BatchError, ConflictError, CycleError, StaleError


def test_the_first_ready_job_is_taken(book):
    assert book.add([{"id": "c", "after": ["a", "b"]}, {"id": "b"}, {"id": "a"}]) == 3
    assert [book.take(1), book.take(1), book.take(1)] == [("b", 1), ("a", 1), None]
    book.done("b", 1, 2)
    assert book.take(2) is None
    book.done("a", 1, 2)
    assert book.take(2) == ("c", 1)


def test_a_whole_status(book):
    book.add([{"id": "a"}, {"id": "b", "after": ["a"]}, {"id": "c"}])
    book.take(5, 10)
    assert book.status(6) == {
        "now": 6,
        "counts": {"waiting": 1, "blocked": 0, "ready": 1, "running": 1, "resting": 0, "done": 0, "failed": 0},
        "jobs": [
            {"id": "a", "state": "running", "attempts": 1, "due": 15},
            {"id": "b", "state": "waiting", "attempts": 0, "due": None},
            {"id": "c", "state": "ready", "attempts": 0, "due": None},
        ],
    }


def test_rests_double_up_to_an_hour(book, states):
    book.add([{"id": "a", "attempts": 20, "backoff": 900}])
    now = 0
    for attempt, rest in enumerate([900, 1800, 3600, 3600, 3600], 1):
        assert book.take(now) == ("a", attempt)
        assert book.fail("a", attempt, now + 3) is True
        now += 3 + rest
        assert states(book, now - 1)["a"] == ("resting", now)
        assert states(book, now)["a"] == ("ready", None)


def test_a_lease_ends_by_itself(book, states):
    book.add([{"id": "a", "backoff": 10}])
    book.take(100, 5)
    assert states(book, 104)["a"] == ("running", 105)
    assert states(book, 105)["a"] == ("resting", 115)
    with pytest.raises(StaleError):
        book.done("a", 1, 105)
    assert book.take(114) is None
    assert book.take(115) == ("a", 2)
    assert states(book, 999)["a"] == ("ready", None)


@pytest.mark.xfail(strict=True, reason="the end of a lease is not known as a word", raises=StaleError)
def test_a_lease_that_is_over_has_said_fail(book):
    book.add([{"id": "a"}])
    book.take(0)
    assert book.fail("a", 1, 60) is False


def test_direct_followers_are_blocked(book, states):
    book.add([{"id": "b", "after": ["a"]}, {"id": "a", "attempts": 1}])
    book.take(0)
    book.fail("a", 1, 1)
    assert states(book, 1) == {"b": ("blocked", None), "a": ("failed", None)}


@pytest.mark.xfail(strict=True, reason="only direct followers are blocked")
def test_all_followers_are_blocked(book, states):
    book.add([{"id": "a", "attempts": 1}, {"id": "b", "after": ["a"]}, {"id": "c", "after": ["b"]}])
    book.take(0)
    assert states(book, 60)["c"] == ("blocked", None)


def test_what_is_said_twice_or_too_late(book):
    book.add([{"id": "a", "backoff": 0}])
    for attempt in (0, 1):
        with pytest.raises(StaleError):
            book.done("a", attempt, 0)
    book.take(0)
    assert [book.fail("a", 1, 1), book.fail("a", 1, 2)] == [True, False]
    with pytest.raises(StaleError):
        book.done("a", 1, 2)
    book.take(2)
    with pytest.raises(StaleError):
        book.fail("a", 1, 3)
    assert [book.done("a", 2, 3), book.done("a", 2, 9999)] == [True, False]
    with pytest.raises(StaleError):
        book.fail("a", 2, 9999)


SENSELESS = [
    None, {}, [], ["a"], [{}], [{"id": ""}], [{"id": None}], [{"id": "n", "colour": 1}], [{"id": "n", "after": "o"}],
    [{"id": "n", "after": [["o"]]}], [{"id": "n", "after": ["x"]}], [{"id": "n", "attempts": 0}], [{"id": "o"}],
    [{"id": "n", "attempts": True}], [{"id": "n", "attempts": 2.0}], [{"id": "n", "backoff": -1}],
    [{"id": "n", "backoff": False}], [{"id": "n"}, {"id": "n"}], [{"id": "n"}, {"id": "m", "backoff": "1"}],
]


@pytest.mark.parametrize("batch", SENSELESS, ids=repr)
def test_senseless_batches(book, journal, batch):
    book.add([{"id": "o"}])
    before = journal.read_bytes(), book.status(0)
    with pytest.raises(BatchError):
        book.add(batch, "k")
    assert (journal.read_bytes(), book.status(0)) == before
    assert book.add([{"id": "n"}, {"id": "m"}], "k") == 2


def test_circles(book):
    with pytest.raises(CycleError) as caught:
        book.add([{"id": "x", "after": ["a"]}, {"id": "a", "after": ["b"]}, {"id": "b", "after": ["c"]},
                  {"id": "c", "after": ["a"]}])
    path = caught.value.path
    assert path[:-1] in (["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]) and path[-1] == path[0]
    with pytest.raises(CycleError) as caught:
        book.add([{"id": "a", "after": ["a"]}])
    assert caught.value.path == ["a", "a"]


def test_long_chains(book):
    assert book.add([{"id": str(i), "after": [str(i - 1)] if i else []} for i in range(1500)]) == 1500


def test_keys(book, open_book):
    batch = [{"id": "a"}, {"id": "b"}, {"id": "c", "after": ["a", "b"]}]
    assert book.add(batch, "k") == 3
    for each in (book, open_book()):
        assert each.add([{"id": "a", "attempts": 3}, {"id": "b", "backoff": 60}, {"id": "c", "after": ["b", "a", "a"]}], "k") == 0
        for other in (batch[:2], [batch[1], batch[0], batch[2]], [{"id": "z"}], [{"id": "a", "attempts": 1}, *batch[1:]]):
            with pytest.raises(ConflictError):
                each.add(other, "k")
