"""The bytes of the file over time, and how it is copied out fair."""

import pytest

pytestmark = pytest.mark.clause("COMPACTING")

LIFE = [
    ("put", "ash", b"grey" * 20),
    ("put", "elm", b"brown"),
    ("put", "ash", b"white"),
    ("put", "fir", b"green"),
    ("delete", "elm"),
    ("put", "yew", b"dark" * 9),
    ("put", "box", b"hedge"),
    ("put", "oak", b"old" * 50),
    ("delete", "oak"),
]
LIVING = [("ash", b"white"), ("box", b"hedge"), ("fir", b"green"), ("yew", b"dark" * 9)]


def short(thing):
    """A thing as it is written, its middle left out if it is long."""
    text = repr(thing)
    return text if len(text) <= 160 else f"{text[:100]} ... {text[-50:]}"


def same(got, due, what):
    """Fail unless something is what the contract says."""
    assert got == due, f"expected {short(due)} for {what}; got {short(got)}"


def trace(moves, name="book"):
    """Play moves on one store; return the content of its file after opening and after each move."""
    import os

    os.fsync = lambda handle: None
    import store

    def content():
        with open(name, "rb") as file:
            return file.read()

    book = store.Store(name)
    contents = [content()]
    for move, *args in moves:
        if move == "reopen":
            book.close()
            book = store.Store(name)
        elif move == "look":
            book.get("ash"), book.keys(), book.items(), len(book), "ash" in book
        else:
            getattr(book, move)(*args)
        contents.append(content())
    book.close()
    contents.append(content())
    return contents


def read(contents):
    """Open a store on each content, and give its items, or the name of the error."""
    import os

    os.fsync = lambda handle: None
    import store

    found = []
    for content in contents:
        with open("other", "wb") as file:
            file.write(content)
        try:
            with store.Store("other") as book:
                found.append(book.items())
        except Exception as error:
            found.append(type(error).__name__)
    return found


def swap(moves, how):
    """Play moves and compact, with a witness wherever a file takes the place of another.

    `how` is "see", "fail" (the swap raises OSError) or "die" (the folder is copied as it lies there at the last swap of
    the first compact, and what follows happens in the copy).
    """
    import os
    import shutil
    import sys

    os.fsync = lambda handle: None
    real = {"replace": os.replace, "rename": os.rename}
    swaps, folders, watching = [], [], []

    def content(name):
        if not os.path.isfile(name):
            return None
        with open(name, "rb") as file:
            return file.read()

    def witness(name):
        def instead(source, target, **rest):
            aims = os.path.abspath(target) == os.path.abspath("place/book")
            if watching and aims:
                swaps.append((content(source), content("place/book")))
                folders.append(os.path.relpath(os.path.dirname(os.path.abspath(source))))
                if how == "fail":
                    raise OSError(5, "the disk said no")
                if how == "die":
                    shutil.copytree("place", "later")
            return real[name](source, target, **rest)

        return instead

    os.mkdir("place")
    os.replace, os.rename = witness("replace"), witness("rename")
    import store

    for module in list(sys.modules.values()):
        for name, function in real.items():
            if module is not os and getattr(module, name, None) is function:
                setattr(module, name, getattr(os, name))
    book = store.Store("place/book")
    for name, *args in moves:
        getattr(book, name)(*args)
    told = {"before": content("place/book"), "raised": None, "items": None, "end": None}
    watching.append(True)
    try:
        book.compact()
    except Exception as error:
        told["raised"] = "OSError" if isinstance(error, OSError) else type(error).__name__
    watching.clear()
    told.update(swaps=swaps[:1], folders=folders[:1], after=content("place/book"), folder=sorted(os.listdir("place")))
    try:
        where = "place"
        if os.path.isdir("later"):
            book.close()
            where, book = "later", store.Store("later/book")
        told["items"] = book.items()
        book.put("new", b"leaf")
        book.delete("fir")
        book.compact()
        book.put("last", b"line")
        book.close()
        with store.Store(where + "/book") as again:
            told["end"] = again.items()
    except Exception as error:
        told["end"] = type(error).__name__
    return told


END = sorted([*(entry for entry in LIVING if entry[0] != "fir"), ("new", b"leaf"), ("last", b"line")])


def shown(move):
    """A move as it is written."""
    return f"{move[0]}({', '.join(short(arg) for arg in move[1:])})"


@pytest.mark.group("append")
@pytest.mark.clause("THE FILE")
@pytest.mark.advice(
    "Write one fixed header of 64 bytes at most when the file is new. Then only append records: no count, index or "
    "footer to rewrite."
)
def test_only_the_end_grows(player):
    """The file begins with its header, and put and delete only add at its end."""
    contents = player.drive(trace, LIFE)
    # That header and records are in the file when a call returns is asked where durability is.
    assert len(contents[0]) <= 64, f"expected a header of 64 bytes at most in a new store; got {len(contents[0])}"
    same(player.drive(trace, [], "another")[0], contents[0], "the header of another store")
    for move, before, after in zip(LIFE, contents[:-2], contents[1:-1], strict=True):
        at = next((i for i, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), len(after))
        assert after.startswith(before), (
            f"expected {shown(move)} to add at the end of {len(before)} bytes; the file changed at byte {at}"
        )
    assert len(contents[-1]) > len(contents[0]), "expected records after the header after nine calls; got none"


@pytest.mark.group("goes_on")
@pytest.mark.clause("THE FILE", "METHODS")
@pytest.mark.advice(
    "Return False from delete before you write if the key is missing. Write nothing when reading, when closing, or "
    "on opening a sound file."
)
def test_looking_writes_nothing(player):
    """Reading, deleting a missing key, closing and reopening don't change the file."""
    contents = player.drive(trace, [*LIFE, ("reopen",)])
    sizes = len(contents[-2]), len(contents[-1])
    quiet = [("look",), ("delete", "nobody"), ("reopen",), ("look",), ("delete", "nobody"), ("reopen",)]
    # What a buffer held back has been written by the first close.
    contents = player.drive(trace, [("look",), *quiet], "book")
    assert sizes[0] == sizes[1], f"expected {sizes[0]} bytes as before after closing; got {sizes[1]}"
    for move, content in zip([*quiet, ("close",)], contents[2:], strict=True):
        assert content == contents[0], (
            f"expected the {len(contents[0])} bytes of before after {shown(move)}; got others, {len(content)} bytes"
        )


def plays(player, name, expected):
    """Whether an orderly close and opening gives what lives, without any compact."""
    return player.drive(read, [player.drive(trace, LIFE, name)[-1]]) == [expected]


@pytest.mark.group("fair_copy")
@pytest.mark.advice(
    "In compact, write the header and one put record for each entry of the dict to a second file, and os.replace "
    "the first with it. Leave the dict alone."
)
def test_compact_keeps_what_lives(player):
    """compact makes the file smaller and keeps every live entry."""
    contents = player.drive(trace, [*LIFE, ("reopen",), ("compact",), ("look",), ("reopen",)])
    before, after = contents[len(LIFE) + 1], contents[-1]
    if plays(player, "plain", LIVING):  # Whether a close keeps what lives is asked where durability is.
        assert len(after) < len(before), (
            f"expected less than {len(before)} bytes after compact, five of nine records being old; got {len(after)}"
        )
        same(player.drive(read, [after]), [LIVING], "items() of the compacted file")
    store = player.module("store").Store("open")
    for name, *args in LIFE:
        getattr(store, name)(*args)
    same(store.compact(), None, "compact()")
    same(store.items(), LIVING, "items() of the open store after compact()")


def compact_unusual():
    """What opening again finds before a compact of a reopened store, and after it."""
    import os

    os.fsync = lambda handle: None
    import store

    with store.Store("unusual") as book:
        for key, value in [("ash", b""), ("", b"nameless"), ("elm", b"brown"), ("fir", b"\0"), ("elm", b"red")]:
            book.put(key, value)
    with store.Store("unusual") as book:
        before = book.items()
        book.compact()
    with store.Store("unusual") as book:
        return before, book.items()


@pytest.mark.group("fair_copy")
@pytest.mark.advice(
    "Write one record for every entry of the dict that opening has filled. Test no key or value by its truth: "
    "empty ones are entries."
)
def test_compact_of_a_reopened_store(player):
    """compact keeps what an earlier session wrote, including empty keys and values."""
    before, after = player.drive(compact_unusual)
    same(after, before, "items() after compact() and reopening")


@pytest.mark.group("goes_on")
@pytest.mark.advice(
    "After os.replace, open the file at path again, and append at its end: the old handle and the old offset "
    "belong to the old file."
)
def test_writing_after_compact(player):
    """What is written after compact is at the new file's end, even after reopening."""
    moves = [("put", "new", b"leaf"), ("put", "ash", b"black"), ("put", "oak", b"young")]
    contents = player.drive(trace, [*[("put", *entry) for entry in LIVING], ("compact",), *moves])
    steps = contents[len(LIVING) + 1 :]
    if player.drive(read, [player.drive(trace, [("put", *entry) for entry in LIVING], "plain")[-1]]) == [LIVING]:
        due = sorted({**dict(LIVING), "new": b"leaf", "ash": b"black", "oak": b"young"}.items())
        got = player.drive(read, [contents[-1]])[0]
        if overwrites(player):
            same(got, due, "items() of the file at path after compact(), three puts and close")
        else:
            same(
                [key for key, _ in got], [key for key, _ in due], "keys() of the file at path after compact() and puts"
            )
    for move, before, after in zip(moves, steps[:3], steps[1:4], strict=True):
        assert after.startswith(before), f"expected {shown(move)} after compact to add at the end; old bytes changed"


def overwrites(player):
    """Whether the later of two values is there after an orderly close; if not, it is reported with durability."""
    content = player.drive(trace, [("put", "ash", b"1"), ("put", "ash", b"2")], "twice")[-1]
    return player.drive(read, [content]) == [[("ash", b"2")]]


@pytest.mark.group("goes_on")
@pytest.mark.advice(
    "Copy one put record for each entry and no deletion, even if no entry is left. Use put's own records, and "
    "write nothing on closing."
)
def test_as_small_as_a_new_one(player):
    """A compacted file is no larger than a new store with the same entries."""
    size = len(player.drive(trace, [*LIFE, ("compact",)])[-1])
    fresh = player.drive(trace, [("put", *entry) for entry in LIVING], "fresh")
    assert size <= len(fresh[-1]), (
        f"expected {len(fresh[-1])} bytes at most after compact, as a new store with the same entries; got {size}"
    )
    moves = [("put", "ash", b"grey"), ("delete", "ash"), ("compact",), ("compact",)]
    size, least = len(player.drive(trace, moves, "emptied")[-1]), len(fresh[0])
    if least:  # A header that comes later is reported with durability.
        assert size <= least, f"expected {least} bytes, a header, after compact without entries; got {size}"


def faults_of_cuts(player, content):
    """What goes wrong where a file with what lives is cut anywhere: kinds of faults, each with where it is seen."""
    faults, fewest = {}, 0
    for cut, items in enumerate(player.drive(read, [content[:cut] for cut in range(len(content) + 1)])):
        where = f"a compacted file cut off at {cut} of {len(content)} bytes"
        if isinstance(items, str):
            faults.setdefault("error", f"expected that {where} opens; got {items}")
            continue
        strange = [item for item in items if item not in LIVING]
        if strange:
            faults.setdefault("half", f"expected whole entries only of {where}; got {strange[0]!r}")
        if len(items) < fewest:
            faults.setdefault(
                "fewer", f"expected {fewest} entries or more of {where}, as for a shorter part of it; got {len(items)}"
            )
        fewest = max(fewest, len(items))
    if fewest < len(LIVING):
        faults["missing"] = f"expected {len(LIVING)} entries in a compacted file; got {fewest}"
    return faults


@pytest.mark.group("goes_on")
@pytest.mark.advice(
    "Write the compacted file with put's own function: the header, then a record with its own checksum for each "
    "entry, and nothing around them."
)
def test_a_compacted_file_can_be_torn(player):
    """Cut anywhere, a compacted file opens with whole entries only."""
    fresh = faults_of_cuts(player, player.drive(trace, [("put", *entry) for entry in LIVING], "fresh")[-1])
    compacted = faults_of_cuts(player, player.drive(trace, [*LIFE, ("compact",)])[-1])
    # What goes wrong with any file that is cut is reported with durability.
    new = [words for kind, words in compacted.items() if kind not in fresh]
    assert not new, new[0]


SWAPPED = "expected one os.replace or os.rename of a new file to the store's path during compact(); got none"


def expect_as_before(told, now, when, granted):
    """Fail unless the file at path is as before compact; where granted, what a buffer held back may have come."""
    is_so = now is not None and now.startswith(told["before"]) if granted else now == told["before"]
    assert is_so, f"expected the file at path as before {when}; it was changed"


@pytest.mark.group("atomic")
@pytest.mark.grants("reopening")
@pytest.mark.advice(
    "Write the new file in path's own folder, then flush and close it. Call os.replace(new, path) once, and don't "
    "touch the old file before."
)
def test_swap_of_a_finished_file(player, granted):
    """At the swap, the old file is untouched and the new one complete."""
    told = player.drive(swap, LIFE, "see")
    assert told["swaps"], SWAPPED
    same(told["raised"], None, "the error out of compact()")
    new, old = told["swaps"][0]
    same(told["folders"], ["place"], "the folder of the new file at the swap")
    expect_as_before(told, old, "until the swap", granted)
    same(player.drive(read, [new]), [LIVING], "items() of the new file at the moment of the swap")
    same(told["folder"], ["book"], "the files in the store's folder after compact()")


@pytest.mark.group("atomic")
@pytest.mark.grants("reopening")
@pytest.mark.advice(
    "Catch OSError around os.replace: remove the new file, go on with the old one at its end, and raise again. "
    "Change nothing before the swap."
)
def test_a_swap_that_fails(player, granted):
    """A swap that fails with an OSError leaves file and store as they were."""
    told = player.drive(swap, LIFE, "fail")
    assert told["swaps"], SWAPPED
    same(told["raised"], "OSError", "the error out of compact() when the swap raises OSError")
    expect_as_before(told, told["after"], "after a failed swap", granted)
    same(told["folder"], ["book"], "the files in the store's folder after a failed swap")
    same(told["items"], LIVING, "items() of the open store after a failed swap")
    same(told["end"], END, "items() after a failed swap, put, delete, compact, put and reopening")


@pytest.mark.group("atomic")
@pytest.mark.advice(
    "Write the new file in mode 'wb', so that a leftover is overwritten, and leave the old one alone. After "
    "os.replace, open path again."
)
def test_a_leftover_of_the_dead(player):
    """After a process died just before the swap, everything in the folder works."""
    told = player.drive(swap, LIFE, "die")
    assert told["swaps"], SWAPPED
    if plays(player, "plain", LIVING):
        same(told["items"], LIVING, "items() of the old file, opened with the new one left over beside it")
        same(told["end"], END, "items() after a leftover, put, delete, compact, put and reopening")
