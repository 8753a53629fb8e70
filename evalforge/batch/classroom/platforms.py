"""What course platforms export: whose each part of it is."""

import re
from collections.abc import Iterator
from typing import Any, cast

import yaml

from evalforge.batch.classroom.handin import HandIn, Person
from evalforge.batch.classroom.shelf import Entry, Shelf
from evalforge.model.text import clean_line

GRADESCOPE = "submission_metadata.yml"
_MOODLE = re.compile(r"^(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?$", re.DOTALL)
_METADATA_CAP = 20_000_000
_ARCHIVES = (".zip",)
_FILES = (".py", *_ARCHIVES)


class _Loader(yaml.SafeLoader):
    """Reads what another language's library wrote: a tag it does not know is only a tag."""


def _untagged(loader: yaml.SafeLoader, suffix: str, node: yaml.Node) -> object:
    del suffix
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(cast("yaml.ScalarNode", node))


cast("Any", _Loader).add_multi_constructor("!", _untagged)


def is_moodle(entries: list[Entry]) -> bool:
    """Whether names at the top are those Moodle gives."""
    return any(_MOODLE.match(entry.name) for entry in entries)


def moodle(shelf: Shelf) -> Iterator[HandIn]:
    """One hand-in for each participant, whose parts may be a folder, or several files under long names."""
    parts: dict[tuple[str, str], list[tuple[Entry, str, str]]] = {}
    for entry in shelf.entries():
        match = _MOODLE.match(entry.name)
        if match:
            found = (entry, match["kind"], match["file"] or "")
            parts.setdefault((match["name"], match["number"]), []).append(found)
    for (name, number), found in parts.items():
        files = [(entry, laid_as) for entry, kind, laid_as in found if kind == "file"]
        person = Person(name=clean_line(name.replace("_", " ").strip()), number=number)
        yield HandIn(
            row_id=f"{name}_{number}",
            person=person,
            source=f"{shelf.source}/{found[0][0].name}",
            pieces=tuple(shelf.piece(entry, laid_as) for entry, laid_as in files),
            problem="" if files else "Handed in as text typed into Moodle, not as files.",
        )


def gradescope(shelf: Shelf) -> Iterator[HandIn]:
    """One hand-in for each submission, with its submitters as far as the metadata names them."""
    submitters = _submitters(shelf.read(GRADESCOPE, _METADATA_CAP))
    for entry in shelf.entries():
        if entry.is_folder:
            people = tuple(submitters.get(entry.name, []))
            columns = [[getattr(one, name) for one in people] for name in ("name", "student_id", "email")]
            person = Person(*(", ".join(filter(None, column)) for column in columns))
            members = people if len(people) > 1 else ()
            yield HandIn(entry.name, person, f"{shelf.source}/{entry.name}", (shelf.piece(entry),), members=members)


def _submitters(raw: bytes) -> dict[str, list[Person]]:
    """Everybody behind each submission; nothing where the metadata can't be read."""
    try:
        loaded: Any = yaml.load(raw.decode("utf-8", "replace"), _Loader)  # noqa: S506 - a safe loader of ours
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    found: dict[str, list[Person]] = {}
    for folder, about in _mapping(loaded).items():
        people = _mapping(about).get("submitters")
        for person in cast("list[Any]", people) if isinstance(people, list) else []:
            said = _mapping(person)
            words = (clean_line(str(said.get(name) or "")) for name in ("name", "sid", "email"))
            found.setdefault(str(folder), []).append(Person(*words))
    return found


def _mapping(loaded: object) -> dict[str, Any]:
    """A mapping by plain names: the exporter writes them with a colon before."""
    if not isinstance(loaded, dict):
        return {}
    return {str(key).lstrip(":"): value for key, value in cast("dict[object, Any]", loaded).items()}


def plain(shelf: Shelf) -> Iterator[HandIn]:
    """One hand-in for each folder, each zip and each Python file at the top."""
    for entry in shelf.entries():
        if entry.is_folder or entry.suffix in _FILES:
            name = entry.name if entry.is_folder else entry.name[: -len(entry.suffix)]
            pieces = (shelf.piece(entry),)
            yield HandIn(name, Person(), f"{shelf.source}/{entry.name}", pieces)
