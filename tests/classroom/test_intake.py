"""Whatever a class comes in, everybody gets a row."""

from pathlib import Path

import pytest

from evalforge.classroom.class_run import unpack_hand_in
from evalforge.classroom.hand_in import HandIn
from evalforge.classroom.intake import find_hand_ins
from evalforge.model.errors import SubmissionError, UsageError
from evalforge.submissions.collect import collect
from tests.classroom import zips
from tests.classroom.zips import zip_of, zipped

MOODLE = "_assignsubmission_file"
METADATA = """---
submission_11:
  :submitters:
  - :name: Ann Able
    :sid: '101'
    :email: ann@example.edu
  :created_at: 2026-01-02 10:00:00.000000000 Z
submission_12: !ruby/object:Submission
  :submitters:
  - :name: Bob Bird
    :sid: '102'
    :email: bob@example.edu
  - :name: Cy Core
    :sid: '103'
    :email: cy@example.edu
"""


def files_of(hand_in: HandIn, scratch: Path) -> dict[str, str]:
    """What would be judged."""
    scratch.mkdir(parents=True)
    return {file.path: file.content for file in collect(unpack_hand_in(hand_in, scratch).directory).files}


def found(place: Path, tmp_path: Path, roster: Path | None = None) -> dict[str, dict[str, str]]:
    """Each row with the files that would be judged."""
    with find_hand_ins(place, roster) as intake:
        return {row.row_id: files_of(row, tmp_path / f"scratch{i}") for i, row in enumerate(intake.hand_ins)}


def put(path: Path, text: str = "x = 1") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_folder_for_each_student(tmp_path: Path) -> None:
    put(tmp_path / "class/ann/dummy.py")
    put(tmp_path / "class/bob/src/dummy.py")
    put(tmp_path / "class/readme.txt")
    put(tmp_path / "class/.git/config")
    assert found(tmp_path / "class", tmp_path) == {"ann": {"dummy.py": "x = 1"}, "bob": {"src/dummy.py": "x = 1"}}
    unused = find_hand_ins(tmp_path / "class").account.unused
    assert [(one.name, one.reason) for one in unused] == [
        (".git", "hidden"),
        ("readme.txt", "neither a folder nor a zip nor a Python file"),
    ]


def test_zips_and_single_files_side_by_side_with_folders(tmp_path: Path) -> None:
    zipped(tmp_path / "class/ann.zip", dummy="a = 1")
    zip_of(tmp_path / "class/bob.zip", {"Wrapper/dummy.py": "b = 1", "__MACOSX/._dummy.py": "no"})
    put(tmp_path / "class/cy.py", "c = 1")
    put(tmp_path / "class/ann/dummy.py", "another")
    assert found(tmp_path / "class", tmp_path) == {
        "ann": {"dummy.py": "another"},
        "ann (2)": {"dummy.py": "a = 1"},
        "bob": {"dummy.py": "b = 1"},
        "cy": {"cy.py": "c = 1"},
    }


def test_a_zip_in_a_folder_without_python_is_opened(tmp_path: Path) -> None:
    zipped(tmp_path / "class/ann/work.zip", dummy="in the zip")
    zipped(tmp_path / "class/bob/old.zip", dummy="in the zip")
    put(tmp_path / "class/bob/dummy.py", "beside it")
    zips.nested(tmp_path / "class/cy.zip", 2, {"dummy.py": "deep"})
    rows = found(tmp_path / "class", tmp_path)
    assert [rows[name]["dummy.py"] for name in ("ann", "bob", "cy")] == ["in the zip", "beside it", "deep"]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["a.zip", "b.zip"], "2 archives and no Python file"),
        (["work.rar"], "only zip archives are opened"),
        (["work.tar.gz"], "only zip archives are opened"),
        (["essay.docx"], "no file that can be judged"),
    ],
)
def test_what_can_not_be_laid_down_says_why(tmp_path: Path, names: list[str], words: str) -> None:
    for name in names:
        if name.endswith(".zip"):
            zipped(tmp_path / "class/ann" / name, dummy="")
        else:
            put(tmp_path / "class/ann" / name)
    (hand_in,) = find_hand_ins(tmp_path / "class").hand_ins
    with pytest.raises(SubmissionError, match=words):
        files_of(hand_in, tmp_path / "scratch")


@pytest.mark.parametrize("as_zip", [False, True])
def test_a_moodle_export_with_folders(tmp_path: Path, *, as_zip: bool) -> None:
    put(tmp_path / f"class/Able Ann_4711{MOODLE}_/dummy.py", "a")
    zipped(tmp_path / f"class/Bird Bob_4712{MOODLE}/mine.zip", dummy="b")
    put(tmp_path / "class/Core Cy_4713_assignsubmission_onlinetext/onlinetext.html", "<p>")
    place = as_export(tmp_path) if as_zip else tmp_path / "class"
    with find_hand_ins(place) as intake:
        assert intake.layout == "moodle"
        assert [(row.person.name, row.person.number, bool(row.problem)) for row in intake.hand_ins] == [
            ("Able Ann", "4711", False),
            ("Bird Bob", "4712", False),
            ("Core Cy", "4713", True),
        ]
        assert files_of(intake.hand_ins[0], tmp_path / "s0") == {"dummy.py": "a"}
        assert files_of(intake.hand_ins[1], tmp_path / "s1") == {"dummy.py": "b"}


def test_a_flat_moodle_export_is_grouped_by_person(tmp_path: Path) -> None:
    put(tmp_path / f"class/Able Ann_4711{MOODLE}_dummy.py", "a")
    put(tmp_path / f"class/Able Ann_4711{MOODLE}_test_dummy.py", "t")
    put(tmp_path / f"class/Bird Bob_4712{MOODLE}_dummy.py", "b")
    assert found(as_export(tmp_path), tmp_path) == {
        "Able Ann_4711": {"dummy.py": "a", "test_dummy.py": "t"},
        "Bird Bob_4712": {"dummy.py": "b"},
    }


@pytest.mark.parametrize("as_zip", [False, True])
def test_a_gradescope_export(tmp_path: Path, *, as_zip: bool) -> None:
    put(tmp_path / "class/submission_metadata.yml", METADATA)
    put(tmp_path / "class/submission_11/dummy.py", "a")
    put(tmp_path / "class/submission_12/dummy.py", "b")
    put(tmp_path / "class/submission_13/dummy.py", "c")
    with find_hand_ins(as_export(tmp_path) if as_zip else tmp_path / "class") as intake:
        assert intake.layout == "gradescope"
        people = [(row.person.name, row.person.student_id) for row in intake.hand_ins]
        assert people == [("Ann Able", "101"), ("Bob Bird, Cy Core", "102, 103"), ("", "")]
        assert files_of(intake.hand_ins[1], tmp_path / "s") == {"dummy.py": "b"}


def test_unreadable_metadata_costs_only_the_names(tmp_path: Path) -> None:
    put(tmp_path / "class/submission_metadata.yml", "a: [unclosed\n\t!!python/object/apply:os.system ['x']")
    put(tmp_path / "class/submission_11/dummy.py", "a")
    assert list(found(tmp_path / "class", tmp_path)) == ["submission_11"]


def as_export(tmp_path: Path) -> Path:
    """The class zipped, wrapped in one folder as platforms do."""
    inner = tmp_path / "class"
    files = {f"export/{path.relative_to(inner)}": path.read_bytes() for path in inner.rglob("*") if path.is_file()}
    return zip_of(tmp_path / "export.zip", dict(files))


def test_a_link_among_the_folders_is_a_row_with_a_reason(tmp_path: Path) -> None:
    put(tmp_path / "outside/dummy.py", "secret")
    put(tmp_path / "class/bob/dummy.py")
    (tmp_path / "class/ann.py").symlink_to(tmp_path / "outside/dummy.py")
    first, _ = find_hand_ins(tmp_path / "class").hand_ins
    with pytest.raises(SubmissionError, match="a link, which is not followed"):
        files_of(first, tmp_path / "s")


def test_a_class_of_nobody_and_a_place_that_is_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    put(tmp_path / "file.txt")
    for place, words in (
        ("empty", "no submissions"),
        ("nowhere", "does not exist"),
        ("file.txt", "not a readable zip archive"),
    ):
        with pytest.raises(UsageError, match=words):
            find_hand_ins(tmp_path / place)


def test_a_name_no_screen_can_show_still_has_a_row(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    put(folder / "bob/dummy.py")
    for raw in (b"\xff\xfe", b"a\x1b[2J"):
        where = bytes(folder) + b"/" + raw
        Path(where.decode("utf-8", "surrogateescape")).mkdir()
    intake = find_hand_ins(folder)
    rows = intake.hand_ins
    assert (len(rows), intake.account.unused) == (3, ())
    for row in rows:
        row.row_id.encode()
        row.source.encode()
        assert "\x1b" not in row.row_id
