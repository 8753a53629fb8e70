"""The roster of a class: the people who should have submitted, matched with the submissions."""

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from evalforge.classroom.hand_in import HandIn, Person, name_without_suffix
from evalforge.model.errors import UsageError
from evalforge.model.text import clean_name

_Id = TypeVar("_Id", bound=Hashable)
_Keys = Callable[[Person], set[str]]
_MAX_BYTES = 10_000_000
_SPELLINGS = {
    "student_id": "id studentid sid idnumber userid username user login matriculationnumber studentnumber "
    "orgdefinedid sisuserid sisloginid",
    "name": "name fullname student studentname displayname",
    "first": "firstname first givenname forename",
    "last": "lastname last surname familyname",
    "email": "email emailaddress mail",
    "folder": "folder directory dir submission file path repository repo",
    "number": "identifier participant participantnumber",
}
_COLUMNS = {spelling: column for column, spellings in _SPELLINGS.items() for spelling in spellings.split()}


def read_roster(path: Path) -> tuple[Person, ...]:
    """Read the people that a CSV file names, in its order.

    Columns are recognised by common spellings (id, name or first and last name, email, folder); others are ignored.

    Raises:
        UsageError: It can't be read, or names nobody.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"--roster {path} can't be read ({error.strerror}).") from None
    if len(raw) > _MAX_BYTES:
        raise UsageError(f"--roster {path} is larger than {_MAX_BYTES // 1_000_000} MB.")
    # Strict, because an unclosed quote would silently swallow every person after it.
    rows = csv.DictReader(io.StringIO(_text(raw), newline=""), delimiter=_delimiter(_text(raw)), strict=True)
    try:
        columns = {name: _COLUMNS.get(_normalized_heading(name)) for name in rows.fieldnames or []}
        people = tuple(person for row in rows if (person := _person(row, columns)) != Person())
    except csv.Error as error:
        # The reader has counted up to the previous row, so the bad row begins on the next line.
        location = f"--roster {path}, line {rows.line_num + 1}"
        raise UsageError(f"{location}: {error}.", "Close the quotation mark that is opened there.") from None
    if not people:
        columns_known = "id, name (or first name and last name), email, folder"
        raise UsageError(f"--roster {path} names nobody.", f"Its first line names columns: {columns_known}.")
    return people


def _text(raw: bytes) -> str:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", "replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _delimiter(text: str) -> str:
    heading = text.partition("\n")[0]
    return max(",;\t", key=heading.count)


def _normalized_heading(name: str | None) -> str:
    return re.sub(r"[^a-z]", "", (name or "").casefold())


def _person(row: dict[str, str | None], columns: dict[str, str | None]) -> Person:
    fields: dict[str, str] = {}
    for name, column in columns.items():
        value = row.get(name)
        if column and isinstance(value, str) and value.strip():
            fields.setdefault(column, clean_name(value))
    name = fields.get("name") or " ".join(fields[part] for part in ("first", "last") if part in fields)
    number = re.sub(r"\D", "", fields.get("number", ""))
    return Person(name, fields.get("student_id", ""), fields.get("email", ""), fields.get("folder", ""), number)


def match_people(hand_ins: Iterable[HandIn], roster: tuple[Person, ...]) -> list[HandIn]:
    """Match people with submissions, and add a row for everybody on the roster without one.

    They are matched by the folder named in the roster, then by Moodle's number, id, address, name, exactly as written;
    then by the same ignoring case, so that a folder ``ANN`` never replaces ``ann``. A key that two
    people or two submissions share matches nothing. An unmatched submission stays, marked as not on the roster.
    """
    rows = {hand_in.row_id: hand_in for hand_in in hand_ins}
    unmatched_people = dict(enumerate(roster))
    unmatched_submitters = {
        (row.row_id, index): submitter for row in rows.values() for index, submitter in enumerate(_submitters(row))
    }
    matched_ids: set[str] = set()
    for keys_of in (_entry_keys, *(_keys_in_case(kind, fold) for fold in (str, str.casefold) for kind in _KINDS)):
        people_by_key = _group_by_key(unmatched_people, keys_of)
        submitters_by_key = _group_by_key(unmatched_submitters, keys_of)
        for key, people in people_by_key.items():
            submitters = submitters_by_key.get(key, [])
            if len(people) != 1 or len(submitters) != 1:
                continue
            if people[0] not in unmatched_people or submitters[0] not in unmatched_submitters:
                continue
            row = rows[submitters[0][0]]
            person = unmatched_people.pop(people[0])
            matched_ids.add(row.row_id)
            rows[row.row_id] = row if row.members else replace(row, person=_merged(row.person, person))
            del unmatched_submitters[submitters[0]]
    marked = [replace(row, on_roster=row.row_id in matched_ids) for row in rows.values()]
    return [*marked, *_absent(unmatched_people.values(), set(rows))]


def _group_by_key(people: dict[_Id, Person], keys_of: Callable[[Person], set[str]]) -> dict[str, list[_Id]]:
    groups: dict[str, list[_Id]] = {}
    for person_id, person in people.items():
        for key in sorted(keys_of(person)):
            groups.setdefault(key, []).append(person_id)
    return groups


def _absent(people: Iterable[Person], used_ids: set[str]) -> Iterator[HandIn]:
    for person in people:
        row_id = person.folder or person.student_id or person.email or person.name or f"participant {person.number}"
        while row_id in used_ids:
            row_id += "'"
        used_ids.add(row_id)
        yield HandIn(row_id, person, problem="Nothing was submitted.", on_roster=True)


def _submitters(hand_in: HandIn) -> tuple[Person, ...]:
    """Return the people of a submission. A single person's folder may be named after any field of the roster."""
    if hand_in.members:
        return hand_in.members
    person, name = hand_in.person, clean_name(hand_in.name)
    folder = hand_in.entry_name or hand_in.row_id
    return (
        Person(person.name or name, person.student_id or name, person.email or name, folder, person.number or name),
    )


def _merged(submitter: Person, person: Person) -> Person:
    return Person(*(getattr(person, name) or getattr(submitter, name) for name in Person.__dataclass_fields__))


def _entry_keys(person: Person) -> set[str]:
    """The exact name of the folder, with its extension: the strongest match."""
    return {unicodedata.normalize("NFC", person.folder)} - {""}


def _keys_in_case(kind: _Keys, fold: Callable[[str], str]) -> Callable[[Person], set[str]]:
    return lambda person: {fold(key) for key in kind(person)} - {""}


def _folder_keys(person: Person) -> set[str]:
    return {name_without_suffix(clean_name(person.folder))}


def _number_keys(person: Person) -> set[str]:
    return {person.number}


def _id_keys(person: Person) -> set[str]:
    return {person.student_id}


def _email_keys(person: Person) -> set[str]:
    return {person.email, person.email.partition("@")[0]}


def _name_keys(person: Person) -> set[str]:
    """The words of a name, sorted and without accents."""
    plain_name = "".join(c for c in unicodedata.normalize("NFKD", person.name) if not unicodedata.combining(c))
    return {" ".join(sorted(re.findall(r"\w+", plain_name.replace("_", " ")), key=str.casefold))}


_KINDS: tuple[_Keys, ...] = (_folder_keys, _number_keys, _id_keys, _email_keys, _name_keys)
