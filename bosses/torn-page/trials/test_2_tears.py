"""What is there after an orderly close, and after a cut at any byte."""

import pytest

pytestmark = pytest.mark.clause("AFTER A TEAR")

OPENED_AT_ONCE = 50
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


def short(thing):
    """A thing as it is written, its middle left out if it is long."""
    text = repr(thing)
    return text if len(text) <= 160 else f"{text[:100]} ... {text[-50:]}"


def same(got, due, what):
    """Fail unless something is what the contract says."""
    assert got == due, f"expected {short(due)} for {what}; got {short(got)}"


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


def check_cuts(player, contents, after, cuts):
    """Open the last content cut at each of these sizes, and compare."""
    answers = []
    for first in range(0, len(cuts), OPENED_AT_ONCE):  # each call has its own time, and disks may be slow
        answers += player.drive(read, [contents[-1][:cut] for cut in cuts[first : first + OPENED_AT_ONCE]])
    sizes = [len(content) for content in contents]
    for cut, answer in zip(cuts, answers, strict=True):
        whole = sum(size <= cut for size in sizes[1:])
        same(
            answer,
            state_at(cut, contents, after),
            f"items() of a file cut after {cut} of {sizes[-1]} bytes; whole records in it: {whole}",
        )


@pytest.mark.group("reopening")
@pytest.mark.clause("A STORE", "THE FILE")
@pytest.mark.advice(
    "Open a file that exists with 'r+b', never 'w', and replay its records into an empty dict. Take a str or a "
    "Path: os.fspath(path) turns both into str."
)
def test_close_and_open(player):
    """After a normal close, everything is there again, by str or Path, each time."""
    module = player.module("store")
    expected = []
    for key in ["ash", "elm", "fir"]:
        with module.Store("book") as book:
            same(book.items(), expected, f"items() of a store opened {len(expected) + 1} times")
            book.put(key, key.encode())
            expected.append((key, key.encode()))
    same(module.Store("book").items(), expected, "items() of a store opened 4 times")
    same(
        player.drive(open_both_ways), [("ash", b"grey")], "items() of Store('both') after a put in Store(Path('both'))"
    )


@pytest.mark.group("reopening")
@pytest.mark.clause("THE FILE")
@pytest.mark.advice(
    "Append a record for each deletion. On opening, replay all records in order: a put sets its key, a deletion "
    "removes it."
)
def test_deleted_stays_deleted(player):
    """A deleted key stays deleted after reopening, and can be put again."""
    module = player.module("store")
    with module.Store("book") as book:
        book.put("ash", b"grey")
        book.put("elm", b"brown")
        book.delete("ash")
    with module.Store("book") as book:
        same(book.items(), [("elm", b"brown")], "items() after put of 'ash' and 'elm', delete('ash') and reopening")
        book.put("ash", b"white")
    same(module.Store("book").get("ash"), b"white", "get('ash'), deleted and put again, after reopening")


@pytest.mark.group("reopening")
@pytest.mark.clause("THE FILE")
@pytest.mark.advice(
    "Write and flush a header of 4 bytes or more in __init__, and each record before its call returns. On opening, "
    "replay all records in order."
)
def test_nothing_is_held_back(player):
    """When a call returns, its record is in the file, even without a close."""
    contents = player.drive(write, LOG)
    after = states(LOG)
    assert len(contents[0]) >= 4, f"expected a header of 4 bytes or more when Store(path) returns; got {contents[0]!r}"
    answers = player.drive(read, contents)
    for move, answer, expected in zip([("Store", "path"), *LOG], answers, after, strict=True):
        same(
            answer,
            expected,
            f"items() of a copy of the file made right after {move[0]}({short(move[1:])[1:-1]}) returned",
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
@pytest.mark.advice(
    "Flush each record. On opening, replay in order; if the bytes left are too few for the next head or body, stop "
    "there without an error."
)
def test_every_byte_of_a_small_file(player):
    """Cut at any byte, the file opens with all complete records and nothing else."""
    contents = player.drive(write, LOG)
    cuts = range(len(contents[0]), len(contents[-1]))
    check_cuts(player, contents, states(LOG), cuts)


@pytest.mark.group("cuts")
@pytest.mark.advice(
    "On opening, read the file: if HEADER.startswith(content), which holds for an empty one too, write the whole "
    "header again and start empty."
)
def test_cut_in_the_header(player):
    """A file that was cut in its header, or is empty, opens as an empty store."""
    contents = player.drive(write, LOG[:1])
    check_cuts(player, contents, states(LOG[:1]), range(len(contents[0])))


@pytest.mark.group("cuts")
@pytest.mark.advice(
    "Flush each record. On opening, go from record to record by stored lengths, and stop for good at the first "
    "incomplete one. Never search for the next."
)
def test_a_book_in_the_book(player):
    """A torn record is dropped even if its value looks like records."""
    inner = player.drive(write, LOG[:4])
    moves = [("put", "before", b"1"), ("put", "book", inner[-1] * 2), ("put", "after", b"2")]
    contents = player.drive(write_again, moves)
    cuts = range(len(contents[1]), len(contents[2]), 2)
    check_cuts(player, contents, states(moves), cuts)


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
