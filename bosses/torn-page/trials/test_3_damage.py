"""Damage that is more than a cut, and the writing that goes on after it."""

import itertools

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

pytestmark = [pytest.mark.group("damage"), pytest.mark.clause("AFTER A TEAR")]


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


def check(player, contents, expected, *damages):
    """Open and go on with each content; fail in words that name its kind of damage, or that of all."""
    found = player.drive(read_and_go_on, contents)
    for seen, state, damage in zip(found, expected, itertools.cycle(damages), strict=False):
        after = [state, {**state, "new": b"leaf"}, {**state, "last": b"line"}]
        due = [sorted(items.items()) for items in after]
        same(seen[0], due[0], f"items() {damage}")
        assert len(seen) == 3 and not isinstance(seen[-1], str), (
            f"expected writing and reopening to work {damage}; got {seen[-1]}"
        )
        same(seen[1], due[1], f"items() {damage}, put('new', b'leaf') and reopening")
        same(seen[2], due[2], f"items() {damage}, more calls and opening twice")


def damaged(contents, number, change):
    """The last content, each byte of one record changed in turn."""
    for at in range(len(contents[number - 1]), len(contents[number])):
        content = bytearray(contents[-1])
        change(content, at)
        if content != contents[-1]:
            yield bytes(content)


@pytest.mark.advice(
    "Stop at the first incomplete record without an error, and truncate the file there before you append. If the "
    "header was cut, write it again."
)
def test_writing_goes_on_after_a_cut(player):
    """After a cut at any byte, what is written next is there after reopening."""
    contents = player.drive(write, LOG)
    cuts = range(len(contents[-1]))
    sizes = [len(content) for content in contents]
    expected = [STATES[max(0, sum(size <= cut for size in sizes) - 1)] for cut in cuts]
    check(player, [contents[-1][:cut] for cut in cuts], expected, "after a cut at any byte")


@pytest.mark.advice(
    "Store zlib.crc32 over type, lengths, key and value, and compare lengths with the bytes left. Where either "
    "fails, stop and truncate the file there."
)
def test_changed_bytes_in_the_last_record(player):
    """A changed or swapped byte in the last record gives the state before it."""
    contents = player.drive(write, LOG)
    last = len(contents[-2])
    for mask in (1, 0x80, 0xFF):

        def flip(content, at, mask=mask):
            content[at] ^= mask

        torn = list(damaged(contents, len(LOG), flip))
        check(player, torn, [STATES[-2]] * len(torn), f"after a byte of the last record changed (^ {mask})")

    def swap(content, at):
        if at > last:
            content[at - 1], content[at] = content[at], content[at - 1]

    torn = list(damaged(contents, len(LOG), swap))
    check(player, torn, [STATES[-2]] * len(torn), "after two bytes of the last record changed places")


@pytest.mark.advice(
    "Store zlib.crc32 over type, lengths, key and value. Stop at the first record that fails, skip nothing, and "
    "truncate the file there."
)
def test_a_changed_byte_further_up(player):
    """A changed byte in an earlier record ends the reading there, for good."""

    def flip(content, at):
        content[at] ^= 4

    contents = player.drive(write, LOG)
    for number in (1, 3):
        torn = list(damaged(contents, number, flip))
        check(player, torn, [STATES[number - 1]] * len(torn), f"after a byte of record {number} of {len(LOG)} changed")


@pytest.mark.advice(
    "Let zlib.crc32 cover type and lengths, so that zeros fail. Compare lengths with the bytes left, read in a "
    "loop, and truncate at the first failure."
)
def test_rubbish_at_the_end(player, rng):
    """Garbage after the last record is ignored, whatever it looks like."""
    contents = player.drive(write, LOG)
    tails = [b"\0" * size for size in (1, 4, 8, 9, 12, 13, 16, 17, 20, 24, 32, 4096)]
    tails += [b"\xff" * size for size in (1, 5, 9, 40, 300)]
    tails += [b"\n", b"\n\n", b"{}\n", b"P", b"put ash grey\n"]
    tails += [rng.randbytes(rng.randrange(1, 120)) for _ in range(16)]
    # Whoever reads a length byte by byte, or one record by a call of itself, goes as deep as there are bytes.
    tails += [bytes([byte]) * rng.randint(1200, 2500) for byte in (0x80, 0xFF, 0x81, 1)]
    for start, state, where in ((contents[-1], STATES[-1], "last record"), (contents[0], {}, "header")):
        words = [f"with {len(tail)} bytes of garbage, {short(tail[:12])} ..., after the {where}" for tail in tails]
        check(player, [start + tail for tail in tails], [state] * len(tails), *words)


def live(steps):
    """Live through puts, deletes, orderly closes and tears; return the size, and after each opening the items."""
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


@pytest.mark.advice(
    "Flush each record. On opening, stop at the first one incomplete or with a wrong checksum, and truncate there: "
    "written over, old records can return."
)
def test_torn_again_and_again(player, rng):
    """Through many random calls and cuts, every complete record is kept."""
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
            words = f"items() in a sequence of calls and cuts, with {step[1]} bytes cut off and {len(step[2])} added"
            same(items, sorted(history[-1][1].items()), words)
            continue
        if step[0] == "put":
            model[step[1]] = step[2]
        else:
            model.pop(step[1], None)
        history.append((size, model))
