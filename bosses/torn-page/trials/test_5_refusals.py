"""What the store refuses, and that a refusal leaves no trace."""

import pytest

FOREIGN = [
    b"%PNG 3 x 4 pixels of somebody's holiday",
    b"\0" * 64,
    b"#!",
    b"name,price\r\n" * 30,
    b"\xff" * 300,
]


def raises(kind, call):
    """Whether a call raises this kind of error; others pass."""
    try:
        call()
    except kind:
        return True
    return False


@pytest.fixture
def module(player):
    """The player's module."""
    return player.module("store")


@pytest.mark.group("kinds")
def test_keys_are_text(player, module):
    """A key that is not a str, or that UTF-8 can't encode, is refused before a byte of it is written."""
    store = module.Store("book")
    store.put("ash", b"grey")
    for key in (b"ash", 7, None, ("ash",)):
        calls = {
            "put": lambda key=key: store.put(key, b"1"),
            "get": lambda key=key: store.get(key),
            "delete": lambda key=key: store.delete(key),
            "in": lambda key=key: key in store,
        }
        for name, call in calls.items():
            assert raises(TypeError, call), f"A key that is not a str is refused with a TypeError by {name}."
    store.close()
    assert module.Store("book").items() == [("ash", b"grey")], "A refused key leaves nothing in the store."
    raised, before, after, keys = player.drive(put_surrogate)
    assert raised == "ValueError", "A lone surrogate in a key is refused by put with a ValueError."
    assert keys == ["'ash'"], "A refused put left its key in the open store."
    assert after == before, "A refused put leaves the file as it was."


@pytest.mark.group("kinds")
def test_values_are_bytes(player, module):
    """A value that is not bytes is refused, and the earlier value stays."""
    store = module.Store("book")
    store.put("ash", b"grey")
    for value in ("grey", 3, None, [1, 2]):
        refused = raises(TypeError, lambda value=value: store.put("ash", value))
        assert refused, "A value that is not bytes is refused with a TypeError by put."
        assert store.items() == [("ash", b"grey")], "A refused put leaves the earlier value."
    store.close()
    assert module.Store("book").items() == [("ash", b"grey")], "A refused put leaves nothing in the file."
    raised, before, after = player.drive(put_bytearray)
    assert raised == "TypeError", (
        "A bytearray, which could change behind the store's back, is refused with a TypeError."
    )
    assert after == before, "A refused put leaves the file as it was."


def put_bytearray():
    """Put a bytearray; tell what was raised, and the file before and after."""
    import store

    def content():
        with open("arrays", "rb") as file:
            return file.read()

    book, raised = store.Store("arrays"), None
    before = content()
    try:
        book.put("ash", bytearray(b"grey"))
    except TypeError:
        raised = "TypeError"
    except Exception as error:
        raised = type(error).__name__
    return raised, before, content()


def put_surrogate():
    """Put a key with a lone surrogate; tell what was raised, and the file before and after."""
    import store

    def content():
        with open("halves", "rb") as file:
            return file.read()

    book, raised = store.Store("halves"), None
    book.put("ash", b"grey")
    before = content()
    try:
        book.put("as" + chr(0xD800) + "h", b"grey")
    except ValueError:
        raised = "ValueError"
    except Exception as error:
        raised = type(error).__name__
    keys = list(map(ascii, book.keys()))
    book.put("ash", b"grey")
    book.close()
    with store.Store("halves") as again:
        if again.items() != [("ash", b"grey")]:
            return raised, before, b"", keys
    return raised, before, content()[: len(before)], keys


@pytest.mark.group("closed")
def test_a_closed_store(module):
    """A closed store refuses every call but close."""
    store = module.Store("book")
    store.put("ash", b"grey")
    assert store.close() is None, "close returns None."
    assert store.close() is None, "Closing again does nothing."
    calls = {
        "put": lambda: store.put("elm", b"1"),
        "get": lambda: store.get("ash"),
        "delete": lambda: store.delete("ash"),
        "delete of a missing key": lambda: store.delete("elm"),
        "in": lambda: "ash" in store,
        "len": lambda: len(store),
        "keys": lambda: store.keys(),
        "items": lambda: store.items(),
        "compact": lambda: store.compact(),
    }
    for name, call in calls.items():
        assert raises(ValueError, call), f"On a closed store, {name} is refused with a ValueError."
    assert module.Store("book").items() == [("ash", b"grey")], "Refused calls leave the closed file as it was."


@pytest.mark.group("closed")
def test_with_closes(player):
    """The end of a with block closes the store, and lets an exception pass."""
    inside, passed, closed, items = player.drive(leave_with)
    assert inside, "with gives the store itself."
    assert passed, "An exception passes out of the with block as it is."
    assert closed, "The store is closed after the with block, with an exception or without."
    assert items == [("ash", b"grey")], "What was put before the exception is there."


def leave_with():
    """Leave a with block by an exception, and another in peace."""
    import store

    def closed(book):
        try:
            book.get("ash")
        except ValueError:
            return True
        return False

    passed, book = False, store.Store("book")
    try:
        with book as same:
            same.put("ash", b"grey")
            raise KeyError("mine")
    except KeyError as error:
        passed = error.args == ("mine",)
    with store.Store("book") as again:
        items = again.items()
    return same is book, passed, closed(book) and closed(again), items


@pytest.mark.group("strangers")
def test_somebody_elses_file(player):
    """A file that is no store is refused, and stays as it is to the byte."""
    for raised, content, theirs in zip(*player.drive(open_foreign, FOREIGN), FOREIGN, strict=True):
        assert content == theirs, "Somebody else's file was changed."
        assert raised == "ValueError", f"A file that is no store is refused with a ValueError; there came {raised}."


def open_foreign(contents):
    """Open a store on each content; tell what was raised, and the content afterwards."""
    import store

    raised, after = [], []
    for content in contents:
        with open("theirs", "wb") as file:
            file.write(content)
        try:
            store.Store("theirs").close()
            raised.append("no error")
        except ValueError:
            raised.append("ValueError")
        except Exception as error:
            raised.append(type(error).__name__)
        with open("theirs", "rb") as file:
            after.append(file.read())
    return raised, after


@pytest.mark.group("strangers")
def test_paths_that_can_not_be(player):
    """A missing folder, or a folder in the place of the file, is the system's OSError."""
    raised, listing = player.drive(open_wrong_paths)
    assert raised == [True, True], "A path that can't be a file ends in the OSError that the system raises."
    assert listing == ["folder"], "A refused path leaves nothing behind."


def open_wrong_paths():
    """Open a store in a missing folder, and on a folder."""
    import os

    import store

    os.mkdir("wrong")
    os.mkdir("wrong/folder")
    raised = []
    for path in ("wrong/missing/book", "wrong/folder"):
        try:
            store.Store(path)
            raised.append(False)
        except OSError:
            raised.append(True)
        except Exception:
            raised.append(False)
    return raised, sorted(os.listdir("wrong"))
