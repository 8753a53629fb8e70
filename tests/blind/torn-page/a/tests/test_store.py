import pytest

from store import Store, pack, unpack, varint


@pytest.mark.parametrize("number, expected", [(0, b"\0"), (127, b"\x7f"), (128, b"\x80\x01"), (300, b"\xac\x02")])
def test_varint(number, expected):
    assert varint(number) == expected


def test_pack_and_unpack_are_inverse():
    import io

    changes = [("put", "a", b"1"), ("delete", "a"), ("put", "", b"")]
    assert [change for change, _ in unpack(io.BytesIO(b"".join(map(pack, changes))))] == changes


def test_reopen(tmp_path):
    with Store(tmp_path / "b") as s:
        s.put("ink", b"black")
        s.put("pen", b"goose")
        s.delete("pen")
    with Store(tmp_path / "b") as s:
        assert s.items() == [("ink", b"black")]


def test_torn(tmp_path):
    with Store(tmp_path / "b") as s:
        s.put("ink", b"black")
        s.put("pen", b"goose")
    data = (tmp_path / "b").read_bytes()
    (tmp_path / "b").write_bytes(data[:-1])
    assert Store(tmp_path / "b").keys() == ["ink"]


def test_foreign(tmp_path):
    (tmp_path / "b").write_bytes(b"tree")
    with pytest.raises(ValueError):
        Store(tmp_path / "b")
