import os

import pytest
from hypothesis import given, settings, strategies as st

from store import Store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book"


def content(path):
    with Store(path) as store:
        return dict(store.items())


def write(path):
    """Some changes; [(size of the file, content)] after each, the empty store first."""
    with Store(path) as store:
        states = [(path.stat().st_size, {})]
        for key, value in [("ink", b"black"), ("", b""), ("ink", b"\0red\n"), ("\u00e9\n", b"x" * 40), ("ink", None)]:
            if value is None:
                assert store.delete(key) is True
            else:
                assert store.put(key, value) is None
            states.append((path.stat().st_size, dict(store.items())))
    return states


def test_cut_anywhere_opens_as_the_last_whole_call_and_goes_on(path):
    states = write(path)
    whole = path.read_bytes()
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        expected = [state for size, state in states if size <= cut or not state][-1]
        assert content(path) == expected
        with Store(path) as store:
            store.put("after", b"tear")
        assert content(path) == {**expected, "after": b"tear"}


def test_a_changed_byte_ends_the_reading(path):
    states = write(path)
    whole = path.read_bytes()
    for at in range(states[0][0], len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1:])
        assert content(path) == [state for size, state in states if size <= at][-1]


@pytest.mark.parametrize("rubbish", [b"\0" * 8, b"\0" * 5000, b"\xff" * 60, b"lorem ipsum " * 9])
def test_rubbish_at_the_end_is_cut_off(path, rubbish):
    states = write(path)
    whole = path.read_bytes()
    path.write_bytes(whole + rubbish)
    with Store(path) as store:
        assert dict(store.items()) == states[-1][1]
        store.put("on", b"1")
    assert path.read_bytes().startswith(whole)
    assert content(path) == {**states[-1][1], "on": b"1"}


@settings(max_examples=60, deadline=None)
@given(calls=st.lists(st.tuples(st.sampled_from(["put", "delete", "compact", "reopen"]),
                                st.sampled_from(["", "a", "b", "\u00df\n"]), st.binary(max_size=5))))
def test_it_answers_as_a_dict_does(tmp_path_factory, calls):
    path, model = tmp_path_factory.mktemp("model") / "book", {}
    store = Store(str(path))
    for name, key, value in calls:
        before = path.read_bytes()
        if name == "put":
            store.put(key, value)
            model[key] = value
        elif name == "delete":
            assert store.delete(key) == (model.pop(key, None) is not None)
        elif name == "compact":
            store.compact()
        else:
            store.close()
            store = Store(path)
        if name != "compact":
            assert path.read_bytes().startswith(before)
        assert store.items() == sorted(model.items()) and store.keys() == sorted(model)
        assert len(store) == len(model) and (key in store) == (key in model)
        assert store.get(key, b"?") == model.get(key, b"?")
    store.close()


def test_compact_is_as_small_as_a_new_store_and_goes_on(path, tmp_path):
    final = write(path)[-1][1]
    with Store(tmp_path / "fresh") as fresh:
        for key, value in final.items():
            fresh.put(key, value)
    with Store(path) as store:
        store.compact()
        assert path.stat().st_size <= (tmp_path / "fresh").stat().st_size
        store.put("next", b"n")
    assert content(path) == {**final, "next": b"n"}


def test_a_failed_swap_changes_nothing(path, monkeypatch):
    final = write(path)[-1][1]
    before = path.read_bytes()

    def fail(*_, **__):
        raise PermissionError("no")

    with Store(path) as store:
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", fail)
            patch.setattr(os, "rename", fail)
            with pytest.raises(PermissionError):
                store.compact()
        assert path.read_bytes() == before and os.listdir(path.parent) == ["book"]
        store.put("next", b"n")
        store.compact()
    assert content(path) == {**final, "next": b"n"}


@pytest.mark.parametrize("call", [
    lambda s: s.put(1, b""), lambda s: s.get(None), lambda s: s.delete(b"a"), lambda s: 1 in s,
    lambda s: s.put("a", "text"), lambda s: s.put("a", bytearray(b"a")), lambda s: s.put("a", None)])
def test_wrong_types_are_refused(path, call):
    write(path)
    before = path.read_bytes()
    with Store(path) as store, pytest.raises(TypeError):
        call(store)
    assert path.read_bytes() == before


def test_a_lone_surrogate_is_refused(path):
    with Store(path) as store:
        with pytest.raises(ValueError):
            store.put("\ud800", b"x")
        assert len(store) == 0 and store.get("\ud800") is None


@pytest.mark.parametrize("call", [
    lambda s: s.put("a", b""), lambda s: s.get("a"), lambda s: s.delete("a"), lambda s: "a" in s, len,
    Store.keys, Store.items, Store.compact])
def test_a_closed_store_answers_nothing(path, call):
    store = Store(path)
    store.close()
    store.close()
    with pytest.raises(ValueError):
        call(store)


def test_somebody_elses_file_stays_as_it_is(path):
    path.write_bytes(b"Dear diary")
    with pytest.raises(ValueError):
        Store(path)
    assert path.read_bytes() == b"Dear diary"


def test_a_bad_path_is_an_oserror(tmp_path):
    for bad in (tmp_path, tmp_path / "no" / "book"):
        with pytest.raises(OSError):
            Store(bad)
