"""No archive of a stranger leads out of its folder, fills the disk, or takes the memory."""

import io
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.classroom.archive import Archive, ZipLimits
from evalforge.model.errors import SubmissionError
from tests.classroom import zips


def unpack(path: Path, target: Path, limits: ZipLimits | None = None, *, export: bool = False) -> list[str]:
    """Everything in an archive; what was left out comes back."""
    target.mkdir()
    archive = Archive(path, limits, export=export)
    try:
        return archive.extract(target, {name: name for name in archive.members})
    finally:
        archive.close()


def laid(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_a_plain_archive_comes_out_as_it_went_in(tmp_path: Path) -> None:
    path = zips.zipped(tmp_path / "a.zip", dummy="x = 1", tests__test_dummy="y = 2")
    assert unpack(path, tmp_path / "out") == []
    assert laid(tmp_path / "out") == {"dummy.py": "x = 1", "tests/test_dummy.py": "y = 2"}


@pytest.mark.parametrize(
    "name", ["../up.py", "a/../../up.py", "/etc/up.py", "C:/up.py", "..\\up.py", "a/..", "\\\\host\\share.py"]
)
def test_a_name_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    path = zips.zip_of(tmp_path / "a.zip", {"dummy.py": "", name: "gotcha"})
    with pytest.raises(SubmissionError, match="leads out"):
        unpack(path, tmp_path / "out")
    assert laid(tmp_path / "out") == {}


def test_in_a_whole_class_one_bad_name_spoils_nobody_elses(tmp_path: Path) -> None:
    path = zips.zip_of(tmp_path / "a.zip", {"ann/dummy.py": "good", "../../up.py": "gotcha"})
    unpack(path, tmp_path / "out", export=True)
    assert laid(tmp_path / "out") == {"ann/dummy.py": "good"}
    assert not (tmp_path.parent / "up.py").exists()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (zips.bomb, "unpacks to far more than its size"),
        (zips.lying, "can't be unpacked"),
        (zips.encrypted, "encrypted"),
        (lambda path: zips.crowded(path, 5_001), "more than 5,000 files"),
        (lambda path: path.write_bytes(b"PK\3\4 and no more") and path, "not a readable zip archive"),
        (lambda path: (path.write_bytes(b"") and path) or path, "not a readable zip archive"),
        (lambda path: path.mkdir() or path, "not a regular file"),
    ],
)
def test_what_was_made_to_harm_is_refused_in_words(tmp_path: Path, make, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(SubmissionError, match=words):
        unpack(make(tmp_path / "a.zip"), tmp_path / "out")
    assert sum(path.stat().st_size for path in (tmp_path / "out").rglob("*") if path.is_file()) < 70_000_000


def test_a_link_is_left_out_and_not_made(tmp_path: Path) -> None:
    left = unpack(zips.link(tmp_path / "a.zip", "/etc/passwd"), tmp_path / "out")
    assert left == ["secret.py: a link or another special file"]
    assert laid(tmp_path / "out") == {"dummy.py": zips.DUMMY}


def test_an_archive_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    real = zips.zipped(tmp_path / "real.zip", dummy="")
    (tmp_path / "a.zip").symlink_to(real)
    with pytest.raises(SubmissionError, match="can't be read"):
        Archive(tmp_path / "a.zip")


def test_the_table_of_contents_is_bounded_before_it_is_read(tmp_path: Path) -> None:
    path = zips.crowded(tmp_path / "a.zip", 2_000)
    with pytest.raises(SubmissionError, match="too many files"):
        Archive(path, ZipLimits(max_directory_bytes=10_000))


def test_names_keep_their_letters_whoever_packed_them(tmp_path: Path) -> None:
    path = zips.zip_of(tmp_path / "a.zip", {"größe.py": ""})
    raw = path.read_bytes()
    # The same name without the mark that says it is UTF-8, as many tools write it.
    path.write_bytes(raw.replace(b"\x00\x08\x08\x00", b"\x00\x00\x08\x00"))
    unpack(path, tmp_path / "out")
    assert list(laid(tmp_path / "out")) == ["größe.py"]


def test_caches_and_environments_are_not_unpacked(tmp_path: Path) -> None:
    names = {f"venv/lib/f{number}.py": "" for number in range(6_000)}
    unpack(zips.zip_of(tmp_path / "a.zip", {**names, "dummy.py": "x"}), tmp_path / "out")
    assert laid(tmp_path / "out") == {"dummy.py": "x"}


def test_a_duplicate_name_or_a_file_as_folder_loses_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("a", "a/b.py", "dummy.py"):
            archive.writestr(name, name)
    assert len(unpack(path, tmp_path / "out")) == 1
    assert laid(tmp_path / "out") == {"a": "a", "dummy.py": "dummy.py"}


@given(st.data())
def test_a_damaged_archive_never_leaves_its_folder(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("zip")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/dummy.py", zips.DUMMY * 3)
        archive.writestr("notes.txt", "words " * 50)
    raw = bytearray(out.getvalue())
    for _ in range(data.draw(st.integers(1, 6))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    (folder / "a.zip").write_bytes(raw[: data.draw(st.integers(len(raw) // 2, len(raw)))])
    with suppress(SubmissionError):
        unpack(folder / "a.zip", folder / "out")
    assert {path.name for path in folder.iterdir()} <= {"a.zip", "out"}
