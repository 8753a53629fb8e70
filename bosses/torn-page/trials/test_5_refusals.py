"""What the store refuses, and that a refusal leaves no trace."""

import pytest

from evalforge.evidence.trials.proxies import PlayerError

pytestmark = pytest.mark.clause("REFUSALS")

FOREIGN = [
    b"%PNG 3 x 4 pixels of somebody's holiday",
    b"\0" * 64,
    b"#!",
    b"name,price\r\n" * 30,
    b"\xff" * 300,
]


def short(thing):
    """A thing as it is written, its middle left out if it is long."""
    text = repr(thing)
    return text if len(text) <= 160 else f"{text[:100]} ... {text[-50:]}"


def same(got, due, what):
    """Fail unless something is what the contract says."""
    assert got == due, f"expected {short(due)} for {what}; got {short(got)}"


def raises(kind, call):
    """Whether a call raises this kind of error; others pass."""
    try:
        call()
    except kind:
        return True
    return False


def outcome(call):
    """What a call returns, or the name of its error: of TypeError if it is one."""
    try:
        return repr(call())
    except TypeError:
        return "TypeError"
    except PlayerError as error:
        return error.type_name


@pytest.fixture
def module(player):
    """The player's module."""
    return player.module("store")


def content():
    """The bytes of the file."""
    with open("book", "rb") as file:
        return file.read()


def opened_again(module):
    """A store with one entry, from a file that has been closed: what is written late is judged elsewhere."""
    store = module.Store("book")
    store.put("ash", b"grey")
    store.close()
    return module.Store("book")


@pytest.mark.group("kinds")
@pytest.mark.advice(
    "Check isinstance(key, str) first in put, get, delete and `in`. In put, call key.encode() before dict or file "
    "change: its error is a ValueError."
)
def test_keys_are_text(player, module):
    """An invalid key is refused before a byte of it is written."""
    store = opened_again(module)
    before = player.drive(content)
    for key in (b"ash", 7, None, ("ash",)):
        calls = {
            "put": lambda key=key: store.put(key, b"1"),
            "get": lambda key=key: store.get(key),
            "delete": lambda key=key: store.delete(key),
            "in": lambda key=key: key in store,
        }
        for name, call in calls.items():
            same(outcome(call), "TypeError", f"{name} with the key {key!r}")
            same(player.drive(content), before, f"the file after {name} with the key {key!r} was refused")
    store.close()
    same(module.Store("book").items(), [("ash", b"grey")], "items() after refused keys and reopening")
    raised, before, after, keys = player.drive(put_surrogate)
    same(raised, "ValueError", r"put('as\ud800h', b'grey')")
    same(keys, ["'ash'"], "keys() after a refused put")
    same(after, before, "the file after a refused put")


@pytest.mark.group("kinds")
@pytest.mark.advice(
    "In put, raise TypeError unless isinstance(value, bytes), which a bytearray is not, before the dict or the "
    "file changes."
)
def test_values_are_bytes(player, module):
    """A value that isn't bytes is refused, and the earlier value stays."""
    store = opened_again(module)
    before = player.drive(content)
    for value in ("grey", 3, None, [1, 2]):
        same(outcome(lambda value=value: store.put("ash", value)), "TypeError", f"put('ash', {value!r})")
        same(store.items(), [("ash", b"grey")], f"items() after put('ash', {value!r}) was refused")
        same(player.drive(content), before, f"the file after put('ash', {value!r}) was refused")
    store.close()
    same(module.Store("book").items(), [("ash", b"grey")], "items() after refused values and reopening")
    raised, before, after = player.drive(put_bytearray)
    same(raised, "TypeError", "put('ash', bytearray(b'grey'))")
    same(after, before, "the file after a refused put")


def put_bytearray():
    """Put a bytearray; return what was raised, and the file before and after."""
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
    """Put a key with a lone surrogate; return what was raised, and the file before and after."""
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
@pytest.mark.advice(
    "Begin every method but close with a helper that raises ValueError once the store is closed. Let a second "
    "close return at once."
)
def test_a_closed_store(player, module):
    """A closed store refuses every call but close."""
    store = module.Store("book")
    store.put("ash", b"grey")
    same([outcome(store.close), outcome(store.close)], ["None", "None"], "close() twice")
    before = player.drive(content)
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
        assert raises(ValueError, call), f"expected ValueError for {name} on a closed store; got {outcome(call)}"
        same(player.drive(content), before, f"the file after {name} on a closed store was refused")
    same(module.Store("book").items(), [("ash", b"grey")], "items() after refused calls and reopening")


@pytest.mark.group("closed")
@pytest.mark.clause("METHODS")
@pytest.mark.advice(
    "Return self from __enter__. In __exit__, call close() and return None, so that the exception passes through."
)
def test_with_closes(player):
    """The end of a with block closes the store, and exceptions pass through."""
    inside, passed, closed, items = player.drive(leave_with)
    same(inside, True, "`with store as same: same is store`")
    assert passed is True, "expected KeyError('mine') to pass out of the with block; it did not"
    assert closed is True, "expected the store to be closed at the end of a with block; it was still open"
    same(items, [("ash", b"grey")], "items() after put('ash', b'grey') and an exception in the with block")


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
@pytest.mark.advice(
    "Open with 'r+b' and read first. Unless content.startswith(HEADER) or HEADER.startswith(content), raise "
    "ValueError before you write."
)
def test_somebody_elses_file(player):
    """A file that isn't a store is refused and stays as it is, to the byte."""
    for raised, content, theirs in zip(*player.drive(open_foreign, FOREIGN), FOREIGN, strict=True):
        same(content, theirs, "the content of another program's file after Store(path)")
        same(raised, "ValueError", f"Store(path) of a file that begins with {theirs[:12]!r}")


def open_foreign(contents):
    """Open a store on each content; return what was raised, and the content afterwards."""
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
@pytest.mark.advice(
    "Create no folder, and let the OSError of open() propagate. Make a new file with open(path, 'x+b'), which "
    "fails in a missing folder."
)
def test_paths_that_can_not_be(player):
    """A missing folder, or a folder as the path, raises the system's OSError."""
    raised, listing = player.drive(open_wrong_paths)
    for path, got in zip(("a missing folder", "a folder"), raised, strict=True):
        same(got, "OSError", f"Store(path) of {path}")
    same(listing, ["folder"], "the files there after refused paths")


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
            raised.append("no error")
        except OSError:
            raised.append("OSError")
        except Exception as error:
            raised.append(type(error).__name__)
    return raised, sorted(os.listdir("wrong"))
