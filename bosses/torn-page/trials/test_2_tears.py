"""What is there after an orderly close, and after a cut at any byte."""

import pytest

# Plain keys and values: what is said of unusual ones belongs to test_1_keeping.
LOG = [
    ("put", "ash", b"grey"),
    ("put", "oak", b"old"),
    ("put", "ash", b"white and longer"),
    ("put", "yew", b"dark"),
    ("delete", "ash"),
    ("put", "elm", b"brown"),
    ("put", "ash", b"back"),
    ("delete", "oak"),
]


def write(moves):
    """Make a store, and give the content of its file after opening and after each move, read by another handle."""
    import os

    os.fsync = lambda handle: None
    import store

    def content():
        with open("book", "rb") as file:
            return file.read()

    book = store.Store("book")
    contents = [content()]
    for name, *args in moves:
        getattr(book, name)(*args)
        contents.append(content())
    book.close()
    return contents


def read(contents):
    """Open a store on each content, and give its items, or the name of the error."""
    import os

    os.fsync = lambda handle: None
    import store

    found = []
    for content in contents:
        with open("torn", "wb") as file:
            file.write(content)
        try:
            with store.Store("torn") as book:
                found.append(book.items())
        except Exception as error:
            found.append(type(error).__name__)
    return found


def states(moves):
    """The items before the first and after each move."""
    model, after = {}, [[]]
    for name, key, *value in moves:
        if name == "put":
            model[key] = value[0]
        else:
            model.pop(key, None)
        after.append(sorted(model.items()))
    return after


def state_at(cut, contents, after):
    """The state after the last move whose file is not longer than the cut."""
    return next((after[i] for i in reversed(range(len(contents))) if len(contents[i]) <= cut), [])


def check_cuts(player, contents, after, cuts, where):
    """Open the last content cut at each of these sizes, and compare."""
    answers = player.drive(read, [contents[-1][:cut] for cut in cuts])
    for cut, answer in zip(cuts, answers, strict=True):
        assert not isinstance(answer, str), f"A file that was cut off {where} can't be opened: {answer}."
        expected = state_at(cut, contents, after)
        missing = [key for key, value in expected if (key, value) not in answer]
        assert not missing, f"A file that was cut off {where} has lost something that was written whole before."
        assert answer == expected, f"A file that was cut off {where} shows something of a record that was not whole."


@pytest.mark.group("reopening")
def test_close_and_open(player):
    """What was put before an orderly close is there after opening again, by str or Path, time after time."""
    module = player.module("store")
    expected = []
    for key in ["ash", "elm", "fir"]:
        with module.Store("book") as book:
            assert book.items() == expected, "Everything that was put before is there after opening again."
            book.put(key, key.encode())
            expected.append((key, key.encode()))
    assert module.Store("book").items() == expected, "Everything that was put before is there after opening again."
    assert player.drive(open_both_ways) == [("ash", b"grey")], "A Path and its str name the same file."


@pytest.mark.group("reopening")
def test_deleted_stays_deleted(player):
    """A deleted key stays deleted after opening again, and can be put anew."""
    module = player.module("store")
    with module.Store("book") as book:
        book.put("ash", b"grey")
        book.put("elm", b"brown")
        book.delete("ash")
    with module.Store("book") as book:
        assert book.items() == [("elm", b"brown")], "A deleted key does not come back with the next opening."
        book.put("ash", b"white")
    assert module.Store("book").get("ash") == b"white", "A key that was put after its deletion is there."


@pytest.mark.group("reopening")
def test_nothing_is_held_back(player):
    """When a call returns, its record is in the file, without any close."""
    contents = player.drive(write, LOG)
    after = states(LOG)
    assert len(contents[0]) >= 4, "The header of a new store must be in the file when Store(path) returns."
    answers = player.drive(read, contents)
    for answer, expected in zip(answers, after, strict=True):
        assert answer == expected, (
            "A copy of the file, made right after a call returned, does not hold what the call wrote: "
            "write through to the file, and don't wait for close."
        )


def open_both_ways():
    """Write by a Path, read by a str."""
    import pathlib

    import store

    with store.Store(pathlib.Path("both")) as book:
        book.put("ash", b"grey")
    with store.Store("both") as book:
        return book.items()


@pytest.mark.group("cuts")
def test_every_byte_of_a_small_file(player):
    """Cut off at any byte, the file opens with all that was whole before the cut, and nothing of the rest."""
    contents = player.drive(write, LOG)
    cuts = range(len(contents[0]), len(contents[-1]))
    check_cuts(player, contents, states(LOG), cuts, "between or within records")


@pytest.mark.group("cuts")
def test_cut_in_the_header(player):
    """A file that was cut off in its header, or is empty, opens as an empty store."""
    contents = player.drive(write, LOG[:1])
    check_cuts(player, contents, states(LOG[:1]), range(len(contents[0])), "in its header")


@pytest.mark.group("cuts")
def test_a_book_in_the_book(player):
    """A torn record whose value looks like records is torn all the same."""
    inner = player.drive(write, LOG[:4])
    moves = [("put", "before", b"1"), ("put", "book", inner[-1] * 2), ("put", "after", b"2")]
    contents = player.drive(write_again, moves)
    cuts = range(len(contents[1]), len(contents[2]), 2)
    check_cuts(player, contents, states(moves), cuts, "within a value that itself looks like a store")


def write_again(moves):
    """As write, in another file."""
    import store

    with store.Store("outer") as book:
        contents = []
        for name, *args in [("get", "nothing"), *moves]:
            getattr(book, name)(*args)
            with open("outer", "rb") as file:
                contents.append(file.read())
    return contents
