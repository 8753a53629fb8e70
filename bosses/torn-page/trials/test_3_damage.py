"""Damage that is more than a cut, and the writing that goes on after it."""

import pytest

LOG = [
    ("put", "ash", b"grey"),
    ("put", "elm", b"brown"),
    ("delete", "ash"),
    ("put", "fir", b"green, and evergreen"),
    ("put", "elm", b"red"),
]
STATES = [
    {},
    {"ash": b"grey"},
    {"ash": b"grey", "elm": b"brown"},
    {"elm": b"brown"},
    {"elm": b"brown", "fir": b"green, and evergreen"},
    {"elm": b"red", "fir": b"green, and evergreen"},
]

pytestmark = pytest.mark.group("damage")


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


def read_and_go_on(contents):
    """Open each content, list it, write on, open it once more, write on and open it a last time."""
    import os

    os.fsync = lambda handle: None
    import store

    found = []
    for content in contents:
        with open("torn", "wb") as file:
            file.write(content)
        seen = []
        try:
            with store.Store("torn") as book:
                seen.append(book.items())
                book.put("new", b"leaf")
            with store.Store("torn") as book:
                seen.append(book.items())
                book.delete("new")
                book.put("last", b"line")
            with store.Store("torn") as book:
                seen.append(book.items())
        except Exception as error:
            seen.append(type(error).__name__)
        found.append(seen)
    return found


def check(player, contents, expected, damage):
    """Open and go on with each content; fail in words that name the kind of damage."""
    for seen, state in zip(player.drive(read_and_go_on, contents), expected, strict=True):
        assert not isinstance(seen[-1], str), f"{damage}, the store can't be opened and written: {seen[-1]}."
        assert seen[0] == sorted(state.items()), (
            f"{damage}, opening must give what was sound before it, and nothing else."
        )
        assert seen[1] == sorted({**state, "new": b"leaf"}.items()), (
            f"{damage}, what is written next is not there after opening again: cut off what is not believed, then add."
        )
        assert seen[2] == sorted({**state, "last": b"line"}.items()), f"{damage}, the store does not go on for long."


def damaged(contents, number, change):
    """The last content, each byte of one record changed in turn."""
    for at in range(len(contents[number - 1]), len(contents[number])):
        content = bytearray(contents[-1])
        change(content, at)
        if content != contents[-1]:
            yield bytes(content)


def test_writing_goes_on_after_a_cut(player):
    """After a cut at any byte, what is written next is there after the next opening."""
    contents = player.drive(write, LOG)
    cuts = range(len(contents[-1]))
    sizes = [len(content) for content in contents]
    expected = [STATES[max(0, sum(size <= cut for size in sizes) - 1)] for cut in cuts]
    check(player, [contents[-1][:cut] for cut in cuts], expected, "After a cut")


def test_changed_bytes_in_the_last_record(player):
    """A changed byte in the last record, or two that changed places, leave the state before that record."""
    contents = player.drive(write, LOG)
    last = len(contents[-2])
    for mask in (1, 0x80, 0xFF):

        def flip(content, at, mask=mask):
            content[at] ^= mask

        torn = list(damaged(contents, len(LOG), flip))
        check(player, torn, [STATES[-2]] * len(torn), "After a byte of the last record changed")

    def swap(content, at):
        if at > last:
            content[at - 1], content[at] = content[at], content[at - 1]

    torn = list(damaged(contents, len(LOG), swap))
    check(player, torn, [STATES[-2]] * len(torn), "After two bytes of the last record changed places")


def test_a_changed_byte_further_up(player):
    """A changed byte in an earlier record ends the reading there, for good."""

    def flip(content, at):
        content[at] ^= 4

    contents = player.drive(write, LOG)
    for number in (1, 3):
        torn = list(damaged(contents, number, flip))
        check(player, torn, [STATES[number - 1]] * len(torn), "After a byte of an earlier record changed")


def test_rubbish_at_the_end(player, rng):
    """Rubbish behind the last record is not believed, whatever it looks like."""
    contents = player.drive(write, LOG)
    tails = [b"\0" * size for size in (1, 4, 8, 9, 12, 13, 16, 17, 20, 24, 32, 4096)]
    tails += [b"\xff" * size for size in (1, 5, 9, 40, 300)]
    tails += [b"\n", b"\n\n", b"{}\n", b"P", b"put ash grey\n"]
    tails += [rng.randbytes(rng.randrange(1, 120)) for _ in range(16)]
    check(
        player,
        [contents[-1] + tail for tail in tails],
        [STATES[-1]] * len(tails),
        "With rubbish behind the last record",
    )
    check(player, [contents[0] + tail for tail in tails], [{}] * len(tails), "With rubbish behind the header")


def live(steps):
    """Live through puts, deletes, orderly closes and tears; tell the size, and after each opening the items."""
    import os

    os.fsync = lambda handle: None
    import store

    book, told = store.Store("book"), []
    header = os.path.getsize("book")
    for name, *args in steps:
        if name in ("put", "delete"):
            getattr(book, name)(*args)
            told.append((os.path.getsize("book"), None))
            continue
        book.close()
        with open("book", "rb") as file:
            content = file.read()
        cut, rubbish = max(len(content) - args[0], header), bytearray(args[1])
        if rubbish and cut < len(content):
            rubbish[0] = content[cut] ^ 0x55  # by chance it could mend what was cut
        with open("book", "wb") as file:
            file.write(content[:cut] + rubbish)
        book = store.Store("book")
        told.append((cut, book.items()))
    return told


def test_torn_again_and_again(player, rng):
    """Through a long life of random calls and tears, everything whole is kept."""
    steps = []
    for number in range(200):
        key, choice = rng.choice(["ash", "elm", "fir", "yew", "oak"]), rng.random()
        if choice < 0.25:
            steps.append(("tear", rng.choice([0, 1, 3, 10, 25, 60]), rng.randbytes(rng.choice([0, 0, 2, 30]))))
        else:
            steps.append(("delete", key) if choice < 0.45 else ("put", key, b"%d" % number * rng.randrange(1, 4)))
    history = [(0, {})]
    for step, (size, items) in zip(steps, player.drive(live, steps), strict=True):
        model = dict(history[-1][1])
        if step[0] == "tear":
            while history[-1][0] > size:
                history.pop()
            assert items == sorted(history[-1][1].items()), (
                "In a long life of calls and tears, an opening did not give what was whole before the tear."
            )
            continue
        if step[0] == "put":
            model[step[1]] = step[2]
        else:
            model.pop(step[1], None)
        history.append((size, model))
