"""What an undamaged store answers."""

import pytest

pytestmark = pytest.mark.clause("METHODS")


@pytest.fixture
def store(player):
    """A new store."""
    return player.module("store").Store("book")


def short(thing):
    """A thing as it is written, its middle left out if it is long."""
    text = repr(thing)
    return text if len(text) <= 160 else f"{text[:100]} ... {text[-50:]}"


def same(got, due, what):
    """Fail unless something is what the contract says."""
    assert got == due, f"expected {short(due)} for {what}; got {short(got)}"


@pytest.mark.group("basics")
@pytest.mark.advice(
    "Keep the entries in a dict: set it in put, which returns nothing, return entries.get(key, default) from get, "
    "and let in and len ask it."
)
def test_put_and_get(store):
    """A stored value is found; a missing key gives the default."""
    same(store.put("ash", b"grey"), None, "put('ash', b'grey')")
    same(store.get("ash"), b"grey", "get('ash') after put('ash', b'grey')")
    same([store.get("elm"), store.get("elm", b"none")], [None, b"none"], "get('elm') and get('elm', b'none'), no 'elm'")
    same(["ash" in store, "elm" in store], [True, False], "'ash' in store and 'elm' in store after put('ash', ...)")
    store.put("ash", b"white")
    same([store.get("ash"), len(store)], [b"white", 1], "get('ash') and len(store) after put('ash', b'white') as well")


@pytest.mark.group("basics")
@pytest.mark.advice(
    "In delete, return False if the dict lacks the key; otherwise remove it there and return True. Let get return "
    "entries.get(key, default)."
)
def test_delete(store):
    """delete removes a key and says whether it was there."""
    store.put("ash", b"grey")
    store.put("elm", b"brown")
    same([store.delete("ash"), store.delete("ash")], [True, False], "delete('ash') twice, 'ash' being there")
    same(
        ["ash" in store, store.get("ash", b"gone")],
        [False, b"gone"],
        "'ash' in store and get('ash', b'gone') after that",
    )
    same(len(store), 1, "len(store) when one of two keys was deleted")


@pytest.mark.group("basics")
@pytest.mark.advice(
    "Return sorted(entries) from keys and sorted(entries.items()) from items, computed in each call, without a "
    "key= of your own."
)
def test_lists_are_sorted(store):
    """keys and items are sorted lists, whatever the order of the calls."""
    for key in ["yew", "ash", "fir", "Oak"]:
        store.put(key, key.upper().encode())
    store.put("fir", b"again")
    store.delete("ash")
    calls = "put of 'yew', 'ash', 'fir', 'Oak' and 'fir', and delete('ash')"
    same(store.keys(), ["Oak", "fir", "yew"], f"keys() after {calls}")
    same(store.items(), [("Oak", b"OAK"), ("fir", b"again"), ("yew", b"YEW")], f"items() after {calls}")


def reopen_plainly():
    """What a reopened store has of plain entries, one of them overwritten, one deleted."""
    import store

    with store.Store("plain") as book:
        for key, value in [("ash", b"grey"), ("elm", b"brown"), ("ash", b"white"), ("fir", b"green")]:
            book.put(key, value)
        book.delete("fir")
    with store.Store("plain") as book:
        return book.items()


def reopens(player):
    """Whether plain entries come back after an orderly close; if not, it is reported with durability."""
    return player.drive(reopen_plainly) == [("ash", b"white"), ("elm", b"brown")]


@pytest.mark.group("values")
@pytest.mark.clause("A STORE")
@pytest.mark.advice(
    "Mark a deletion by a type of its own, not by an empty value. Test with `in`, not by truth, and read a record "
    "that ends where the file ends."
)
def test_empty_ones(player, store):
    """An empty key and an empty value are stored like any others."""
    store.put("", b"nameless")
    store.put("void", b"")
    store.put("ash", b"grey")
    expected = [("", b"nameless"), ("ash", b"grey"), ("void", b"")]
    same(store.items(), expected, "items() of a store with an empty key and an empty value")
    same(["void" in store, store.get("void", b"default")], [True, b""], "'void' in store and get('void', b'default')")
    store.close()
    again = player.module("store").Store("book")
    same(again.items(), expected, "items() of the same store, opened again")
    same([again.delete("void"), again.delete("")], [True, True], "delete('void'), its value empty, and delete('')")
    again.close()
    if not reopens(player):
        return
    last = player.module("store").Store("book")
    same(last.items(), [("ash", b"grey")], "items() after delete('void'), delete('') and reopening")
    last.put("", b"")
    last.close()
    same(player.module("store").Store("book").get(""), b"", "get('') after put('', b'') and reopening")


@pytest.mark.group("values")
@pytest.mark.clause("A STORE")
@pytest.mark.advice(
    "Write key.encode('utf-8') behind its length in bytes, a field of four bytes, and decode just these bytes with "
    "'utf-8'. Normalise and strip nothing."
)
def test_any_key(player, store):
    """Keys of any alphabet, length and shape are kept distinct, even after reopening."""
    keys = ["é", "e\u0301", "ß", "ss", " ash", "ash ", "a\nb", "a\r\nb", "a\0b", "\0", "墨", "🖋", "\ufeffbom"]
    keys += ["a=b,c:d", '"\\"', "k" * 300, "墨" * 70_000]
    for number, key in enumerate(keys):
        store.put(key, b"%d" % number)
    store.close()
    found = dict(player.module("store").Store("book").items())
    for number, key in enumerate(keys):
        same(found.get(key), b"%d" % number, f"the value of the key {short(key)} after reopening")
    same(len(found), len(keys), f"the number of keys after {len(keys)} different ones were put")


@pytest.mark.group("values")
@pytest.mark.clause("A STORE")
@pytest.mark.advice(
    "Open the file in binary mode, write each value unchanged behind its length, and read that many bytes again. "
    "Use no separators or line ends."
)
def test_any_bytes(player, store):
    """Values of any bytes come back as they were put, even after reopening."""
    values = [bytes(range(256)), b"\n", b"\r\n", b"\0" * 50, b"a,b=c\n\nd", b"\xff\xfe\x80", b"None", b"\x1a"]
    values.append(bytes([10, 13]) * 9)
    for number, value in enumerate(values):
        store.put(str(number), value)
    for number, value in enumerate(values):
        same(store.get(str(number)), value, f"get({str(number)!r}) after it was put")
    store.close()
    again = player.module("store").Store("book")
    for number, value in enumerate(values):
        same(again.get(str(number)), value, f"get({str(number)!r}) after reopening")


@pytest.mark.group("values")
@pytest.mark.clause("A STORE")
@pytest.mark.advice(
    "Write lengths as four bytes, with struct's '<I', and read a value in one piece by its length, not byte by byte."
)
def test_large_values(player, store, rng):
    """Large values, and values at the limits of small length fields, are kept."""
    values = {str(size): rng.randbytes(size) for size in (255, 256, 65_535, 65_536, 300_000)}
    for key, value in values.items():
        store.put(key, value)
    store.close()
    again = player.module("store").Store("book")
    for key, value in values.items():
        got = again.get(key)
        assert got == value, (
            f"expected the {key} bytes that were put, after reopening; got {'none' if got is None else len(got)}"
        )


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
@pytest.mark.advice("Let keys and items build a new list in each call, with sorted(), and keep no reference to it.")
def test_lists_belong_to_the_caller(player):
    """Returned lists are copies: changing them does not change the store."""
    first, held = player.drive(lists)
    items = [("ash", b"grey"), ("elm", b"brown")]
    same(first, [["ash", "elm"], items, 2], "keys(), items() and len after clear() on the lists they had returned")
    same(held, [["ash", "elm"], items], "the lists that keys() and items() had returned, after another put and delete")


def play(moves, path):
    """Play moves on one store, opening it again where asked, and list every answer."""
    import os

    os.fsync = lambda handle: None
    import store

    book, answers = store.Store(path), []
    for name, *args in moves:
        if name == "reopen":
            book.close()
            book, answer = store.Store(path), None
        elif name == "has":
            answer = args[0] in book
        elif name == "len":
            answer = len(book)
        else:
            answer = getattr(book, name)(*args)
        answers.append(answer)
    book.close()
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


def difference(player, moves, path):
    """The first move with another answer than a dict's, that answer, and what the store gave."""
    model = {}
    for number, ((name, *args), got) in enumerate(zip(moves, player.drive(play, moves, path), strict=True)):
        due = answer_of(model, name, args)
        if got != due:
            return number, due, got
    return None


def shortest(player, moves, found):
    """The moves up to the one that differs, less those of other keys and others without which it still differs."""
    moves = moves[: found[0] + 1]
    smaller = [[move for move in moves if not move[1:] or move[1] == moves[-1][1]]] if moves[-1][1:] else []
    for fewer in smaller:
        if again := difference(player, fewer, "one key"):
            moves, found = fewer[: again[0] + 1], again
    number = len(moves) - 2
    for tries in range(60):
        if number < 0:
            break
        fewer = moves[:number] + moves[number + 1 :]
        if again := difference(player, fewer, f"fewer {tries}"):
            moves, found = fewer[: again[0] + 1], again
        number = min(number, len(moves) - 1) - 1
    return moves, found


@pytest.mark.group("sequences")
@pytest.mark.advice(
    "Replay the calls shown beside a plain dict, and follow the last call's key through each put, delete and "
    "reopening. Mind empty keys and values."
)
def test_any_sequence_of_calls(player, rng):
    """Any sequence of calls, including reopening, answers as a dict does."""
    names = ["put"] * 6 + ["delete"] * 3 + ["get", "get", "has", "len", "keys", "items"]
    # Where plain entries don't come back after a close, the rest is judged without one.
    names += ["reopen"] if reopens(player) else []
    keys = ["", "ash", "elm", "fir", "é", "e\u0301", "a\nb"]
    moves = []
    for _ in range(250):
        name, key = rng.choice(names), rng.choice(keys)
        value = rng.randbytes(rng.choice([0, 1, 7, 40]))
        rest = {"put": (key, value), "delete": (key,), "has": (key,), "get": (key, b"none")}
        moves.append((name, *rest.get(name, ())))
    if found := difference(player, moves, "book"):
        moves, (_, due, got) = shortest(player, moves, found)
        calls = "; ".join(f"{name}({', '.join(map(repr, args))})" for name, *args in moves)
        same(got, due, f"the last of: {calls}")
