"""Nothing that lies in the folder of a class is unaccounted for, whatever the class comes in."""

import shutil
from pathlib import Path

import pytest

from evalforge.classroom.hand_in import HandIn
from evalforge.classroom.intake import ClassIntake, find_hand_ins
from evalforge.classroom.platform_names import NAME_PATTERNS, recognise
from evalforge.classroom.submission_source import SourceEntry
from evalforge.model.errors import UsageError
from tests.classroom.test_intake import METADATA, files_of, put
from tests.classroom.zips import zip_of, zipped

MOODLE = "_assignsubmission_file"
ATTEMPT = "Lab_1_{}_attempt_2024-09-{}-21-26-00"


def folders(place: Path) -> set[str]:
    put(place / "ann/dummy.py")
    put(place / "bob/deep/dummy.py")
    return {"ann", "bob"}


def archives(place: Path) -> set[str]:
    zipped(place / "carol.zip", dummy="c = 1")
    zipped(place / "dan.ZIP", dummy="d = 1")
    return {"carol", "dan"}


def single_files(place: Path) -> set[str]:
    put(place / "eve.py")
    put(place / "testa_fred.py")
    return {"eve", "testa_fred"}


def moodle_folders(place: Path) -> set[str]:
    put(place / f"Able Gia_4711{MOODLE}_/dummy.py")
    put(place / "Able Gia_4711_assignsubmission_onlinetext_/onlinetext.html")
    return {"Able Gia_4711"}


def moodle_files(place: Path) -> set[str]:
    put(place / f"Bird Hal_4712{MOODLE}_dummy.py")
    put(place / f"Bird Hal_4712{MOODLE}_test_dummy.py")
    return {"Bird Hal_4712"}


def canvas(place: Path) -> set[str]:
    put(place / "ironida_12345_67890_dummy.py")
    put(place / "ironida_12345_67891_test_dummy.py")
    put(place / "jadejo_LATE_12346_67892_dummy-2.py")
    zipped(place / "kingkim_12347_67893_work.zip", dummy="k = 1")
    return {"ironida_12345", "jadejo_12346", "kingkim_12347"}


def blackboard(place: Path) -> set[str]:
    put(place / (ATTEMPT.format("llake", "24") + "_dummy.py"), "old = 1")
    put(place / (ATTEMPT.format("llake", "25") + "_dummy.py"), "new = 1")
    for day in ("24", "25"):
        put(place / (ATTEMPT.format("llake", day) + ".txt"), "Name: Lou Lake (llake)\nAssignment: Lab_1\n")
    return {"llake"}


def brightspace(place: Path) -> set[str]:
    put(place / "397063-2557369 - Mia Moss - Sep 24, 2024 926 PM/dummy.py", "new = 1")
    put(place / "397063-2557369 - Mia Moss - Sep 24, 2024 925 PM/dummy.py", "old = 1")
    put(place / "index.html")
    return {"Mia Moss_397063"}


def gradescope(place: Path) -> set[str]:
    put(place / "submission_metadata.yml", METADATA)
    put(place / "submission_11/dummy.py")
    zipped(place / "submission_12.zip", dummy="n = 1")
    return {"submission_11", "submission_12"}


def nbgrader(place: Path) -> set[str]:
    put(place / "ned/lab1/dummy.py")
    put(place / "ned/lab1/timestamp.txt", "2024-09-24 21:26:00 UTC")
    put(place / ".DS_Store")
    put(place / "grades.csv")
    return {"ned"}


KINDS = (
    *(folders, archives, single_files, moodle_folders, moodle_files),
    *(canvas, blackboard, brightspace, gradescope, nbgrader),
)


def entries_of(intake: ClassIntake) -> list[str]:
    """Every entry that the account speaks of, as often as it does."""
    return [*(name for row in intake.hand_ins for name in row.entries), *(one.name for one in intake.account.unused)]


def row(intake: ClassIntake, row_id: str) -> HandIn:
    return next(one for one in intake.hand_ins if one.row_id == row_id)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_each_kind_of_folder_has_a_row_for_everybody(tmp_path: Path, kind) -> None:
    expected = kind(tmp_path / "class")
    intake = find_hand_ins(tmp_path / "class", entry_file="dummy.py")
    assert {one.row_id for one in intake.hand_ins} == expected
    assert sorted(entries_of(intake)) == sorted(path.name for path in (tmp_path / "class").iterdir())
    for number, one in enumerate(intake.hand_ins):
        assert "dummy.py" in {Path(name).name for name in files_of(one, tmp_path / f"scratch{number}")}


@pytest.mark.parametrize("as_zip", [False, True])
def test_all_kinds_side_by_side_lose_nobody(tmp_path: Path, *, as_zip: bool) -> None:
    place = tmp_path / "class"
    expected = {row_id for kind in KINDS for row_id in kind(place)}
    names = sorted(path.name for path in place.iterdir())
    if as_zip:
        files = {f"export/{one.relative_to(place)}": one.read_bytes() for one in place.rglob("*") if one.is_file()}
        place = zip_of(tmp_path / "export.zip", dict(files))
    with find_hand_ins(place, entry_file="dummy.py") as intake:
        assert {one.row_id for one in intake.hand_ins} == expected
    assert sorted(entries_of(intake)) == names
    account = intake.account
    assert account.entries == len(names)
    assert sum(form.entries for form in account.forms) + len(account.unused) == len(names)
    sentence = account.sentences[0]
    assert sentence.startswith(f"{len(names)} entries")
    assert f"{len(expected)} submissions (" in sentence
    assert "not used: " in sentence
    assert intake.layout == "mixed"


def test_a_platforms_name_is_taken_apart() -> None:
    for known in NAME_PATTERNS:
        entry = recognise(SourceEntry(known.example, is_folder=known.platform == "brightspace"))
        assert entry is not None
        assert entry.platform == known.platform
        assert entry.name + entry.login
    assert recognise(SourceEntry("lovelaceada_12345", is_folder=True)) is None
    late = recognise(SourceEntry("lovelaceada_LATE_1_2_main.py", is_folder=False))
    assert late is not None
    assert (late.is_late, late.number, late.file_name) == (True, "1", "main.py")


def test_the_latest_attempt_counts_and_the_others_are_named(tmp_path: Path) -> None:
    blackboard(tmp_path / "class")
    brightspace(tmp_path / "class")
    intake = find_hand_ins(tmp_path / "class", entry_file="dummy.py")
    lake, moss = row(intake, "llake"), row(intake, "Mia Moss_397063")
    assert files_of(lake, tmp_path / "s1") == files_of(moss, tmp_path / "s2") == {"dummy.py": "new = 1"}
    assert (lake.person.name, lake.person.student_id, lake.handed_in) == ("Lou Lake", "llake", "2024-09-25 21:26:00")
    assert moss.handed_in == "2024-09-24 21:26:00"
    assert [len(one.earlier) for one in (lake, moss)] == [2, 1]
    earlier = [one.name for one in intake.account.unused if one.reason == "an earlier version"]
    assert sorted(earlier) == sorted((*lake.earlier, *moss.earlier))


def test_canvas_numbers_are_taken_off_only_where_it_put_them(tmp_path: Path) -> None:
    place = tmp_path / "class"
    put(place / "ann_1_2_dummy-1.py", "first")
    put(place / "ann_1_3_dummy-2.py", "second")
    put(place / "bob_2_4_dummy.py", "main")
    put(place / "bob_2_5_part-1.py", "its own name")
    intake = find_hand_ins(place, entry_file="dummy.py")
    assert files_of(row(intake, "ann_1"), tmp_path / "s1") == {"dummy.py": "second"}
    assert set(files_of(row(intake, "bob_2"), tmp_path / "s2")) == {"dummy.py", "part-1.py"}
    assert row(intake, "ann_1").earlier == ("ann_1_2_dummy-1.py",)


def test_a_folder_around_the_class_is_looked_into(tmp_path: Path) -> None:
    clone = tmp_path / "class/lab-submissions"
    for name in ("lab-ann", "lab-bob"):
        put(clone / name / "dummy.py")
        put(clone / name / ".git/config")
    put(clone / "grades.csv")
    put(tmp_path / "class/notes.txt")
    intake = find_hand_ins(tmp_path / "class")
    assert {one.row_id for one in intake.hand_ins} == {"lab-ann", "lab-bob"}
    assert intake.account.sentences[0].startswith("4 entries in the folder lab-submissions: 2 submissions (2 folders)")
    assert {one.name for one in intake.account.unused} == {"grades.csv", "notes.txt"}


def test_one_student_whose_program_has_parts_is_one_row(tmp_path: Path) -> None:
    put(tmp_path / "class/ann/src/dummy.py")
    put(tmp_path / "class/ann/tests/test_dummy.py")
    assert [one.row_id for one in find_hand_ins(tmp_path / "class").hand_ins] == ["ann"]


def test_the_folder_of_one_student_is_no_class(tmp_path: Path) -> None:
    put(tmp_path / "ann/dummy.py")
    put(tmp_path / "ann/tests/test_dummy.py")
    with pytest.raises(UsageError, match="one submission, not a class"):
        find_hand_ins(tmp_path / "ann", entry_file="dummy.py")


def test_nobody_vanishes_from_an_archive(tmp_path: Path) -> None:
    files = {"export/build/dummy.py": "b = 1", "export/ann/dummy.py": "a = 1", "export/ann/venv/x.py": "no"}
    place = zip_of(tmp_path / "export.zip", {**files, "export/empty/": "", "../out.py": "x"})
    with find_hand_ins(place) as intake:
        assert [one.row_id for one in intake.hand_ins] == ["ann", "build", "empty"]
        assert files_of(row(intake, "ann"), tmp_path / "s") == {"dummy.py": "a = 1"}
    assert [(one.name, one.reason) for one in intake.account.unused] == [("../out.py", "leads out of the archive")]


def test_a_roster_of_another_class_is_one_sentence(tmp_path: Path) -> None:
    for number in range(39):
        put(tmp_path / f"class/s{number:02}/dummy.py")
    (tmp_path / "roster.csv").write_text("id,name\n" + "".join(f"{n},Other {n}\n" for n in range(39)))
    account = find_hand_ins(tmp_path / "class", tmp_path / "roster.csv").account
    assert account.sentences[1:] == (
        "The roster (39 people) matches none of the submissions: is it the roster of this class?",
    )
    assert (len(account.off_roster), len(account.absent)) == (39, 39)
    shutil.copytree(tmp_path / "class/s00", tmp_path / "class/3")
    account = find_hand_ins(tmp_path / "class", tmp_path / "roster.csv").account
    assert account.sentences[1].startswith("39 submissions not on the roster: s00, ")
    assert account.sentences[2].startswith("38 of 39 people on the roster submitted nothing: Other ")
