"""A roster, however its columns are spelled, says who handed nothing in."""

import unicodedata
from pathlib import Path

import pytest

from evalforge.classroom.class_roster import match_people, read_roster
from evalforge.classroom.class_row import RowOutcome
from evalforge.classroom.hand_in import HandIn, Person
from evalforge.classroom.intake import find_hand_ins
from evalforge.classroom.row_recorder import make_row
from evalforge.model.errors import UsageError
from evalforge.model.text import clean_line
from tests.classroom.zips import zipped


def roster(tmp_path: Path, text: str, encoding: str = "utf-8") -> tuple[Person, ...]:
    path = tmp_path / "roster.csv"
    path.write_bytes(text.encode(encoding))
    return read_roster(path)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("id,name,email,folder\n7,Zoë Able,z@b,ann\n", "utf-8"),
        ("ID number;Full name;E-Mail Address;Directory\r\n7;Zoë Able;z@b;ann\r\n", "utf-8-sig"),
        ("SID\tSurname\tFirst Name\tEmail\tFolder\n7\tAble\tZoë\tz@b\tann\n", "utf-16"),
        ("Student_ID,Student,Mail,Repo,Section\n7,Zoë Able,z@b,ann,3\n\n,,,,\n", "cp1252"),
    ],
)
def test_common_spellings_are_understood(tmp_path: Path, text: str, encoding: str) -> None:
    assert roster(tmp_path, text, encoding) == (Person("Zoë Able", "7", "z@b", "ann"),)


def test_moodles_own_worksheet_is_one(tmp_path: Path) -> None:
    text = "Identifier,Full name,Email address,Status\nParticipant 4711,Ann Able,a@b,No submission\n"
    assert roster(tmp_path, text) == (Person("Ann Able", email="a@b", number="4711"),)


def test_one_without_anybody_is_refused(tmp_path: Path) -> None:
    for text in ("", "colour,size\nred,3\n", "id,name\n"):
        with pytest.raises(UsageError, match="names nobody"):
            roster(tmp_path, text)
    with pytest.raises(UsageError, match="can't be read"):
        read_roster(tmp_path / "nowhere.csv")


def test_an_open_quote_is_told_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="line 3: unexpected end of data"):
        roster(tmp_path, 'id,name\n1,Ann\n2,"Ben\n3,Cem\n4,Dee\n')
    assert len(roster(tmp_path, 'id,name\n1,"Ann\nAble"\n2,Ben\n')) == 2


def rows(*people: Person, names: tuple[str, ...]) -> dict[str, tuple[str, bool | None, bool]]:
    """Each row: the person's name, whether they are on the roster, whether something was handed in."""
    hand_ins = [HandIn(name, Person(folder=name), source=f"/class/{name}") for name in names]
    found = match_people(hand_ins, people)
    return {row.row_id: (row.person.name, row.on_roster, not row.problem) for row in found}


def test_people_are_found_by_folder_id_address_or_name() -> None:
    people = (
        Person("Ann Able", "7", "ann@example.edu", folder="team-a"),
        Person("Bob Bird", "8"),
        Person("Cy Core", email="cc@example.edu"),
        Person("Émile Dé"),
        Person("Eve Else", "99"),
    )
    assert rows(*people, names=("team-a", "8", "cc", "De_Emile", "stranger")) == {
        "team-a": ("Ann Able", True, True),
        "8": ("Bob Bird", True, True),
        "cc": ("Cy Core", True, True),
        "De_Emile": ("Émile Dé", True, True),
        "stranger": ("", False, True),
        "99": ("Eve Else", True, False),
    }


def test_namesakes_are_not_guessed_at() -> None:
    people = (Person("Ann Able", "7"), Person("Ann Able", "8"))
    assert rows(*people, names=("Ann Able",)) == {
        "Ann Able": ("", False, True),
        "7": ("Ann Able", True, False),
        "8": ("Ann Able", True, False),
    }
    assert rows(*people, names=("8",))["8"] == ("Ann Able", True, True)


@pytest.mark.parametrize("thief", ["ANN", "Ann", "ann.zip", "ann ", "ann (2)"])
def test_another_folder_of_nearly_that_name_takes_nobodys_seat(tmp_path: Path, thief: str) -> None:
    for name in ("ann", thief):
        if name.endswith(".zip"):
            zipped(tmp_path / "class" / name, dummy="b = 1")
        else:
            (tmp_path / "class" / name).mkdir(parents=True)
            (tmp_path / "class" / name / "dummy.py").write_text("a = 1")
    (tmp_path / "roster.csv").write_text("name,folder\nAnn Able,ann\n")
    hand_ins = find_hand_ins(tmp_path / "class", tmp_path / "roster.csv").hand_ins
    assert [(row.entry_name, row.on_roster, row.person.name) for row in hand_ins if row.on_roster] == [
        ("ann", True, "Ann Able")
    ]
    flags = {row.entry_name: make_row(row, RowOutcome.UNUSABLE).flags for row in hand_ins}
    assert "not on the roster" in flags[thief]
    clash = "its name differs from another submission's only in case or ending ({}): check it"
    if thief == "ann (2)":
        assert flags["ann"] == ()
    else:
        assert clash.format("ann") in flags[thief]
        assert flags["ann"] == (clash.format(clean_line(thief)),)


def test_case_is_disregarded_where_one_hand_in_fits() -> None:
    people = (Person("Ann Able", folder="Team-A"), Person("Bob Bird", "Q8"))
    assert rows(*people, names=("team-a", "q8")) == {
        "team-a": ("Ann Able", True, True),
        "q8": ("Bob Bird", True, True),
    }
    assert rows(Person("Ann Able", folder="aNN"), names=("ann", "ANN"))["aNN"] == ("Ann Able", True, False)


@pytest.mark.parametrize("forms", [("NFC", "NFD"), ("NFD", "NFC")])
def test_both_unicode_forms_of_a_name_are_one(tmp_path: Path, forms: tuple[str, str]) -> None:
    folder, listed = (unicodedata.normalize(form, "zoë") for form in forms)
    (tmp_path / "class" / folder).mkdir(parents=True)
    (tmp_path / "class" / folder / "dummy.py").write_text("a = 1")
    (tmp_path / "class" / "ben").mkdir()
    (tmp_path / "class" / "ben" / "dummy.py").write_text("b = 1")
    (tmp_path / "roster.csv").write_text(f"name,folder\nZoë\tAble,{listed}\n")
    hand_ins = find_hand_ins(tmp_path / "class", tmp_path / "roster.csv").hand_ins
    assert [(row.row_id, row.on_roster, row.person.name) for row in hand_ins] == [
        ("ben", False, ""), ("zoë", True, "Zoë Able")
    ]  # fmt: skip


def test_two_folders_that_are_one_name_in_unicode_clash(tmp_path: Path) -> None:
    for form in ("NFC", "NFD"):
        folder = tmp_path / unicodedata.normalize(form, "zoë")
        folder.mkdir()
        (folder / "dummy.py").write_text("a = 1")
    hand_ins = find_hand_ins(tmp_path).hand_ins
    assert [row.row_id for row in hand_ins] == ["zoë", "zoë (2)"]
    assert all(row.name_clashes for row in hand_ins)


def test_everybody_of_a_group_has_handed_in() -> None:
    members = (Person("Bob Bird", "8"), Person("Cy Core", "9"))
    group = HandIn("submission_1", Person("Bob Bird, Cy Core"), source="/s", members=members)
    found = match_people([group], (Person("Bob Bird", "8"), Person("Core Cy"), Person("Dee Dot", "10")))
    assert [(row.row_id, row.on_roster, row.person.name) for row in found] == [
        ("submission_1", True, "Bob Bird, Cy Core"),
        ("10", True, "Dee Dot"),
    ]
