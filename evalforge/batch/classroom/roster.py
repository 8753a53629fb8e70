"""The roster of a class: who should have handed in."""

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from evalforge.batch.classroom.handin import HandIn, Person
from evalforge.model.errors import UsageError
from evalforge.model.text import clean_line

_Key = TypeVar("_Key", bound=Hashable)
_CAP = 10_000_000
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
    """Everybody a CSV file names, in its order.

    Columns are known by common spellings (id, name or first and last name, email, folder); others are passed over.

    Raises:
        UsageError: It can't be read, or names nobody.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(_CAP + 1)
    except OSError as error:
        raise UsageError(f"--roster {path} can't be read ({error.strerror}).") from None
    if len(raw) > _CAP:
        raise UsageError(f"--roster {path} is larger than {_CAP // 1_000_000} MB.")
    # Strict: an open quote would swallow everybody after it without a word.
    rows = csv.DictReader(io.StringIO(_text(raw), newline=""), delimiter=_delimiter(_text(raw)), strict=True)
    try:
        columns = {name: _COLUMNS.get(_plain(name)) for name in rows.fieldnames or []}
        people = tuple(person for row in rows if (person := _person(row, columns)) != Person())
    except csv.Error as error:
        # Counted up to the row before, so this is where the one at fault begins.
        place = f"--roster {path}, line {rows.line_num + 1}"
        raise UsageError(f"{place}: {error}.", "A quote that is opened there must be closed.") from None
    if not people:
        known = "id, name (or first name and last name), email, folder"
        raise UsageError(f"--roster {path} names nobody.", f"Its first line names columns: {known}.")
    return people


def _text(raw: bytes) -> str:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", "replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


def _plain(name: str | None) -> str:
    return re.sub(r"[^a-z]", "", (name or "").casefold())


def _person(row: dict[str, str | None], columns: dict[str, str | None]) -> Person:
    said: dict[str, str] = {}
    for name, column in columns.items():
        value = row.get(name)
        if column and isinstance(value, str) and value.strip():
            said.setdefault(column, clean_line(value.strip()))
    whole = said.get("name") or " ".join(said[part] for part in ("first", "last") if part in said)
    number = re.sub(r"\D", "", said.get("number", ""))
    return Person(whole, said.get("student_id", ""), said.get("email", ""), said.get("folder", ""), number)


def match(hand_ins: Iterable[HandIn], roster: tuple[Person, ...]) -> list[HandIn]:
    """Put people to hand-ins, and a row for everybody on the roster without one.

    The folder named in the roster decides, then Moodle's number, id, address, name. A mark that two people or two
    hand-ins share decides nothing. A hand-in nobody fits stays, and says so.
    """
    rows = {hand_in.row_id: hand_in for hand_in in hand_ins}
    waiting = dict(enumerate(roster))
    free = {(row.row_id, index): seen for row in rows.values() for index, seen in enumerate(_seen(row))}
    known: set[str] = set()
    for marks in (_by_folder, _by_number, _by_id, _by_email, _by_name):
        sought, found = _holders(waiting, marks), _holders(free, marks)
        for mark, people in sought.items():
            seats = found.get(mark, [])
            if len(people) != 1 or len(seats) != 1 or people[0] not in waiting or seats[0] not in free:
                continue
            row = rows[seats[0][0]]
            person = waiting.pop(people[0])
            known.add(row.row_id)
            rows[row.row_id] = row if row.members else replace(row, person=_joined(row.person, person))
            del free[seats[0]]
    told = [replace(row, on_roster=row.row_id in known) for row in rows.values()]
    return [*told, *_absent(waiting.values(), set(rows))]


def _holders(people: dict[_Key, Person], marks: Callable[[Person], set[str]]) -> dict[str, list[_Key]]:
    """Who bears which mark."""
    found: dict[str, list[_Key]] = {}
    for key, person in people.items():
        for mark in sorted(marks(person)):
            found.setdefault(mark, []).append(key)
    return found


def _absent(people: Iterable[Person], used: set[str]) -> Iterator[HandIn]:
    for person in people:
        row_id = person.folder or person.student_id or person.email or person.name or f"participant {person.number}"
        while row_id in used:
            row_id += "'"
        used.add(row_id)
        yield HandIn(row_id, person, problem="Nothing was handed in.", on_roster=True)


def _seen(hand_in: HandIn) -> tuple[Person, ...]:
    """Everybody behind a hand-in. The folder of one person may be named after any of what a roster says."""
    if hand_in.members:
        return hand_in.members
    one, folder = hand_in.person, hand_in.row_id
    number = one.number or folder
    return (Person(one.name or folder, one.student_id or folder, one.email or folder, folder, number),)


def _joined(known: Person, person: Person) -> Person:
    return Person(*(getattr(person, name) or getattr(known, name) for name in Person.__dataclass_fields__))


def _by_folder(person: Person) -> set[str]:
    return {person.folder.casefold().removesuffix(".zip")} - {""}


def _by_number(person: Person) -> set[str]:
    return {person.number} - {""}


def _by_id(person: Person) -> set[str]:
    return {person.student_id.casefold()} - {""}


def _by_email(person: Person) -> set[str]:
    address = person.email.casefold()
    return {address, address.partition("@")[0]} - {""}


def _by_name(person: Person) -> set[str]:
    """A name whatever its case, accents and order."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", person.name.casefold()) if not unicodedata.combining(c))
    return {" ".join(sorted(re.findall(r"\w+", bare.replace("_", " "))))} - {""}
