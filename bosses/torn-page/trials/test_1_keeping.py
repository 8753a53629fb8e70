"""What an undamaged store answers."""

import pytest


@pytest.fixture
def store(player):
    """A new store."""
    return player.module("store").Store("book")


@pytest.mark.group("basics")
def test_put_and_get(store):
    """What is put is found; what is not there gives the default."""
    assert store.put("ash", b"grey") is None, "put returns None."
    assert store.get("ash") == b"grey", "A value that was put is found under its key."
    assert store.get("elm") is None, "Without a default, a missing key gives None."
    assert store.get("elm", b"none") == b"none", "A missing key gives the default that was handed in."
    assert "ash" in store, "A key that was put is in the store."
    assert "elm" not in store, "A key that was never put is not in the store."
    store.put("ash", b"white")
    assert store.get("ash") == b"white", "A second put under the same key takes the place of the first."
    assert len(store) == 1, "Two values under one key are one entry."


@pytest.mark.group("basics")
def test_delete(store):
    """delete removes a key and says whether it was there."""
    store.put("ash", b"grey")
    store.put("elm", b"brown")
    assert store.delete("ash") is True, "Deleting a key that is there gives True."
    assert store.delete("ash") is False, "Deleting it again gives False."
    assert "ash" not in store, "A deleted key is not in the store."
    assert store.get("ash", b"gone") == b"gone", "A deleted key gives the default."
    assert len(store) == 1, "A deleted key is not counted."


@pytest.mark.group("basics")
def test_lists_are_sorted(store):
    """keys and items are sorted lists, whatever the order of the calls."""
    for key in ["yew", "ash", "fir", "Oak"]:
        store.put(key, key.upper().encode())
    store.put("fir", b"again")
    store.delete("ash")
    assert store.keys() == ["Oak", "fir", "yew"], "keys is a list, sorted as Python sorts str."
    assert store.items() == [("Oak", b"OAK"), ("fir", b"again"), ("yew", b"YEW")], (
        "items is a list of tuples (key, value), in the order of keys."
    )


@pytest.mark.group("values")
def test_empty_ones(player, store):
    """The empty key and the empty value are a key and a value."""
    store.put("", b"nameless")
    store.put("void", b"")
    store.put("ash", b"grey")
    expected = [("", b"nameless"), ("ash", b"grey"), ("void", b"")]
    assert store.items() == expected, "Empty keys and empty values are kept like others."
    assert "void" in store, "A key with an empty value is in the store."
    assert store.get("void", b"default") == b"", "An empty value is found, not taken for missing."
    store.close()
    again = player.module("store").Store("book")
    assert again.items() == expected, "Empty keys and empty values are there after opening again."
    assert again.delete("void") is True, "A key with an empty value can be deleted, and was there."
    assert again.delete("") is True, "The empty key can be deleted, and was there."
    again.close()
    last = player.module("store").Store("book")
    assert last.items() == [("ash", b"grey")], "The deletion of the empty key was lost on opening again."
    last.put("", b"")
    last.close()
    assert player.module("store").Store("book").get("") == b"", (
        "An empty value under the empty key was lost on opening again."
    )


@pytest.mark.group("values")
def test_any_key(player, store):
    """Keys of any alphabet, length and shape are kept apart, also after opening again."""
    keys = [
        "é",
        "e\u0301",
        "ß",
        "ss",
        " ash",
        "ash ",
        "a\nb",
        "a\r\nb",
        "a\0b",
        "\0",
        "墨",
        "🖋",
        "\ufeffbom",
        "a=b,c:d",
        '"\\"',
    ]
    keys += ["k" * 300, "墨" * 70_000]
    for number, key in enumerate(keys):
        store.put(key, b"%d" % number)
    store.close()
    found = dict(player.module("store").Store("book").items())
    assert len(found) == len(keys), "Keys that == tells apart are different keys: nothing is trimmed or normalised."
    for number, key in enumerate(keys):
        assert found.get(key) == b"%d" % number, "Each key comes back as it was put, with its own value."


@pytest.mark.group("values")
def test_any_bytes(player, store):
    """Values of any bytes come back as they were put, also after opening again."""
    values = [
        bytes(range(256)),
        b"\n",
        b"\r\n",
        b"\0" * 50,
        b"a,b=c\n\nd",
        b"\xff\xfe\x80",
        b"None",
        b"\x1a",
        bytes([10, 13]) * 9,
    ]
    for number, value in enumerate(values):
        store.put(str(number), value)
    expected = [(str(number), value) for number, value in enumerate(values)]
    assert store.items() == expected, "A value comes back byte for byte."
    store.close()
    assert player.module("store").Store("book").items() == expected, (
        "A value comes back byte for byte after opening again: no byte may have a meaning of its own in the file."
    )


@pytest.mark.group("values")
def test_large_values(player, store, rng):
    """Large values, and values at the limits of small length fields, are kept."""
    values = {str(size): rng.randbytes(size) for size in (255, 256, 65_535, 65_536, 300_000)}
    for key, value in values.items():
        store.put(key, value)
    store.close()
    again = player.module("store").Store("book")
    for key, value in values.items():
        assert again.get(key) == value, "A large value comes back whole after opening again."


def lists():
    """Empty the lists that a store returned, and give the lists it returns then, before and after another put."""
    import store

    with store.Store("book") as book:
        book.put("ash", b"grey")
        book.put("elm", b"brown")
        book.keys().clear()
        book.items().clear()
        first = [book.keys(), book.items(), len(book)]
        held = [book.keys(), book.items()]
        book.put("fir", b"green")
        book.delete("ash")
        return first, held


@pytest.mark.group("sequences")
def test_lists_belong_to_the_caller(player):
    """Changing a list that was returned changes nothing in the store, and a later call changes nothing in the list."""
    first, held = player.drive(lists)
    items = [("ash", b"grey"), ("elm", b"brown")]
    assert first == [["ash", "elm"], items, 2], "Emptying the list that keys or items returned changed the store."
    assert held == [["ash", "elm"], items], "A later put or delete changed a list that keys or items had returned."


def play(moves):
    """Play moves on one store, opening it again where asked, and list every answer."""
    import os

    os.fsync = lambda handle: None
    import store

    book, answers = store.Store("book"), []
    for name, *args in moves:
        if name == "reopen":
            book.close()
            book, answer = store.Store("book"), None
        elif name == "has":
            answer = args[0] in book
        elif name == "len":
            answer = len(book)
        else:
            answer = getattr(book, name)(*args)
        answers.append(answer)
    return answers


def answer_of(model, name, args):
    """The answer of a dict to one move."""
    plain = {
        "has": lambda: args[0] in model,
        "get": lambda: model.get(*args),
        "len": lambda: len(model),
        "keys": lambda: sorted(model),
        "items": lambda: sorted(model.items()),
        "delete": lambda: model.pop(args[0], None) is not None,
    }
    if name == "put":
        model[args[0]] = args[1]
    return plain[name]() if name in plain else None


@pytest.mark.group("sequences")
def test_any_sequence_of_calls(player, rng):
    """Any sequence of calls, opening again among them, answers as a dict does."""
    names = ["put"] * 6 + ["delete"] * 3 + ["get", "get", "has", "len", "keys", "items", "reopen"]
    keys = ["", "ash", "elm", "fir", "é", "e\u0301", "a\nb"]
    moves = []
    for _ in range(250):
        name, key = rng.choice(names), rng.choice(keys)
        value = rng.randbytes(rng.choice([0, 1, 7, 40]))
        rest = {"put": (key, value), "delete": (key,), "has": (key,), "get": (key, b"none")}
        moves.append((name, *rest.get(name, ())))
    answers = player.drive(play, moves)
    model = {}
    for (name, *args), answer in zip(moves, answers, strict=True):
        expected = answer_of(model, name, args)
        assert answer == expected, f"Random calls and a dict gave different answers, first in {name}."
