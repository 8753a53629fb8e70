import pytest

from store import Store

ENTRIES = [("a", b"alpha"), ("b", b""), ("c", b"\n\0gamma")]


def read(path):
    with Store(path) as store:
        return store.items()


def test_a_cut_leaves_what_is_whole(path, three):
    whole = path.read_bytes()
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        kept = [entry for entry, size in zip(ENTRIES, three[1:]) if size <= cut]
        assert read(path) == kept
        with Store(path) as store:
            store.put("d", b"delta")
        assert read(path) == [*kept, ("d", b"delta")]


@pytest.mark.parametrize("damaged", range(3))
def test_a_damaged_record_costs_only_itself(path, three, damaged):
    whole = path.read_bytes()
    for position in range(three[damaged], three[damaged + 1]):
        data = bytearray(whole)
        data[position] ^= 0xA5
        path.write_bytes(data)
        assert read(path) == ENTRIES[:damaged] + ENTRIES[damaged + 1:]


@pytest.mark.parametrize("rubbish", [b"\0" * 19, b"\0" * 999, b"\xff" * 50, b"\xf1\xf7" * 30, b"text"])
def test_rubbish_behind_is_cut_off(path, three, rubbish):
    whole = path.read_bytes()
    path.write_bytes(whole + rubbish)
    assert read(path) == ENTRIES
    assert path.read_bytes() == whole


def test_rubbish_between_is_skipped(path, three):
    whole = path.read_bytes()
    path.write_bytes(whole[: three[1]] + b"spilled ink" + whole[three[1]:])
    assert read(path) == ENTRIES


def test_nothing_wrong_nothing_changed(path, three):
    whole = path.read_bytes()
    read(path)
    assert path.read_bytes() == whole
