"""The bytes of the file over time, and how it is copied out fair."""

import pytest

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


def trace(moves, name="book"):
    """Play moves on one store; tell the content of its file after opening and after each move."""
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


@pytest.mark.group("append")
def test_only_the_end_grows(player):
    """The file begins with its header, and put and delete only add at its end."""
    contents = player.drive(trace, LIFE)
    assert 4 <= len(contents[0]) <= 64, "As soon as it is opened, a new store's file is its header, 4 to 64 bytes."
    assert player.drive(trace, [], "another")[0] == contents[0], "The header is the same in every store."
    for before, after in zip(contents[:-2], contents[1:-1], strict=True):
        assert after.startswith(before), "A put or a delete changed bytes that were already in the file."
        assert len(after) > len(before), "A put, or a delete of a key that was there, adds a record to the file."


@pytest.mark.group("append")
def test_looking_writes_nothing(player):
    """Looking, deleting what is not there, closing and opening again leave the file as it is."""
    quiet = [("look",), ("delete", "nobody"), ("reopen",), ("look",), ("delete", "elm"), ("reopen",)]
    contents = player.drive(trace, [*LIFE, *quiet])
    for content in contents[len(LIFE) + 1 :]:
        assert content == contents[len(LIFE)], (
            "Something that changes no entry changed the file: looking, deleting what is not there, closing or opening."
        )


@pytest.mark.group("fair_copy")
def test_compact_keeps_what_lives(player):
    """compact makes the file smaller and keeps every living entry."""
    contents = player.drive(trace, [*LIFE, ("compact",), ("look",), ("reopen",)])
    before, after = contents[len(LIFE)], contents[len(LIFE) + 1]
    assert len(after) < len(before), "Overwritten and deleted entries take room no longer after compact."
    assert contents[-1] == after, "After compact, looking and opening again change nothing."
    assert player.drive(read, [after]) == [LIVING], "The compacted file holds exactly the living entries."
    store = player.module("store").Store("open")
    for name, *args in LIFE:
        getattr(store, name)(*args)
    assert store.compact() is None, "compact returns None."
    assert store.items() == LIVING, "After compact the open store has the same entries as before."


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
def test_compact_of_a_reopened_store(player):
    """compact keeps what an earlier opening wrote, empty keys and values among it."""
    before, after = player.drive(compact_unusual)
    assert after == before, "The entries after compact and another opening are not those from before compact."


@pytest.mark.group("goes_on")
def test_writing_after_compact(player):
    """What is written after compact is in the new file, at its end, and there after opening again."""
    moves = [*LIFE, ("compact",), ("put", "new", b"leaf"), ("delete", "ash"), ("put", "oak", b"young")]
    contents = player.drive(trace, moves)
    steps = contents[len(LIFE) + 1 :]
    expected = [dict(LIVING), {**dict(LIVING), "new": b"leaf"}]
    expected.append({key: value for key, value in expected[-1].items() if key != "ash"})
    expected.append({**expected[-1], "oak": b"young"})
    answers = player.drive(read, steps[:4])
    for answer, model in zip(answers, expected, strict=True):
        assert answer == sorted(model.items()), (
            "A call after compact did not reach the file at path: go on in the new file, not in the one it replaced."
        )
    for before, after in zip(steps[:3], steps[1:4], strict=True):
        assert after.startswith(before), "After compact, too, calls add at the end only."


@pytest.mark.group("goes_on")
def test_as_small_as_a_new_one(player):
    """A compacted file is no larger than a new store with the same entries, also when it is empty."""
    contents = player.drive(trace, [*LIFE, ("compact",)])
    fresh = player.drive(trace, [("put", *entry) for entry in LIVING], "fresh")
    assert len(contents[-1]) <= len(fresh[-1]), "A compacted file holds more than one record for each living entry."
    emptied = player.drive(trace, [("put", "ash", b"grey"), ("delete", "ash"), ("compact",), ("compact",)], "emptied")
    assert len(emptied[-1]) <= len(fresh[0]), (
        "With nothing alive, the compacted file is as small as that of a new store."
    )


@pytest.mark.group("goes_on")
def test_a_compacted_file_can_be_torn(player):
    """Cut anywhere, a compacted file opens with whole entries only, each with its value."""
    content = player.drive(trace, [*LIFE, ("compact",)])[-1]
    cuts = [content[:cut] for cut in range(len(content) + 1)]
    fewest = 0
    for items in player.drive(read, cuts):
        assert not isinstance(items, str), f"A compacted file that was cut off can't be opened: {items}."
        assert set(items) <= set(LIVING), "A compacted file that was cut off shows an entry that is not whole."
        assert len(items) >= fewest, "A longer piece of a compacted file shows fewer entries than a shorter one."
        fewest = len(items)
    assert fewest == len(LIVING), "A whole compacted file holds every living entry."


@pytest.mark.group("atomic")
def test_swap_of_a_finished_file(player):
    """At the swap the old file is untouched, and the new one whole."""
    told = player.drive(swap, LIFE, "see")
    assert told["swaps"], "compact has put no new file in the place of the old one with os.replace or os.rename."
    assert told["raised"] is None, f"compact itself failed: {told['raised']}."
    new, old = told["swaps"][0]
    assert told["folders"] == ["place"], (
        "The new file must be in the store's own folder: a swap can't cross file systems."
    )
    assert old == told["before"], "Before the swap, the file at path was already changed."
    assert player.drive(read, [new]) == [LIVING], (
        "At the moment of the swap the new file was not complete: write, flush and close it first."
    )
    assert told["folder"] == ["book"], "After compact something else than the store lies in its folder."


@pytest.mark.group("atomic")
def test_a_swap_that_fails(player):
    """A swap that fails with an OSError leaves file and store as they were."""
    told = player.drive(swap, LIFE, "fail")
    assert told["swaps"], "compact has put no new file in the place of the old one with os.replace or os.rename."
    assert told["raised"] == "OSError", "The OSError of a failed swap passes through to the caller."
    assert told["after"] == told["before"], "After a failed swap the file at path is not what it was."
    assert told["folder"] == ["book"], "After a failed swap the new file is left lying in the folder."
    assert told["items"] == LIVING, "After a failed swap the open store has not the entries it had."
    assert told["end"] == END, "After a failed swap the store does not go on: calls and a later compact must work."


@pytest.mark.group("atomic")
def test_a_leftover_of_the_dead(player):
    """A process that ended just before the swap leaves a folder in which everything works."""
    told = player.drive(swap, LIFE, "die")
    assert told["swaps"], "compact has put no new file in the place of the old one with os.replace or os.rename."
    assert told["items"] == LIVING, "With the new file left over beside it, the old one does not open as it was."
    assert told["end"] == END, "A new file that was left over beside the store hinders what is done later."
