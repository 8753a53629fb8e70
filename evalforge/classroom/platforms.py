"""Reads what course platforms export, and plain folders: which files are whose hand-in."""

import re
from collections.abc import Iterator
from typing import Any, cast

import yaml

from evalforge.classroom.hand_in import HAND_IN_SUFFIXES, HandIn, Person
from evalforge.classroom.submission_source import SourceEntry, SubmissionSource
from evalforge.model.text import clean_line

GRADESCOPE_METADATA = "submission_metadata.yml"
# As in: Ada Lovelace_4711_assignsubmission_file_main.py
_MOODLE = re.compile(r"^(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?$", re.DOTALL)
_MAX_METADATA_BYTES = 20_000_000


class _Loader(yaml.SafeLoader):
    """A safe loader that ignores unknown tags, such as those of the Ruby library that writes the metadata."""


def _construct_untagged(loader: yaml.SafeLoader, suffix: str, node: yaml.Node) -> object:
    del suffix
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(cast("yaml.ScalarNode", node))


cast("Any", _Loader).add_multi_constructor("!", _construct_untagged)


def is_moodle(entries: list[SourceEntry]) -> bool:
    """Whether a name is one that Moodle gives."""
    return any(_MOODLE.match(entry.name) for entry in entries)


def read_moodle(source: SubmissionSource) -> Iterator[HandIn]:
    """One hand-in for each participant: a folder, or several files under long names."""
    parts: dict[tuple[str, str], list[tuple[SourceEntry, str, str]]] = {}
    for entry in source.entries():
        match = _MOODLE.match(entry.name)
        if match:
            part = (entry, match["kind"], match["file"] or "")
            parts.setdefault((match["name"], match["number"]), []).append(part)
    for (name, number), own_parts in parts.items():
        files = [(entry, file_name) for entry, kind, file_name in own_parts if kind == "file"]
        person = Person(name=clean_line(name.replace("_", " ").strip()), number=number)
        yield HandIn(
            row_id=f"{name}_{number}",
            person=person,
            source=f"{source.location}/{own_parts[0][0].name}",
            pieces=tuple(source.piece(entry, file_name) for entry, file_name in files),
            problem="" if files else "Handed in as text typed into Moodle, not as files.",
        )


def read_gradescope(source: SubmissionSource) -> Iterator[HandIn]:
    """One hand-in for each submission, with the submitters that the metadata names."""
    submitters = _submitters(source.read(GRADESCOPE_METADATA, _MAX_METADATA_BYTES))
    for entry in source.entries():
        if entry.is_folder:
            people = tuple(submitters.get(entry.name, []))
            columns = [[getattr(one, name) for one in people] for name in ("name", "student_id", "email")]
            person = Person(*(", ".join(filter(None, column)) for column in columns))
            members = people if len(people) > 1 else ()
            yield HandIn(entry.name, person, f"{source.location}/{entry.name}", (source.piece(entry),), members=members)


def _submitters(raw: bytes) -> dict[str, list[Person]]:
    """The submitters of each submission, by folder; none if the metadata can't be read."""
    try:
        loaded: Any = yaml.load(raw.decode("utf-8", "replace"), _Loader)  # noqa: S506 - a safe loader of ours
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    submitters: dict[str, list[Person]] = {}
    for folder, submission in _mapping(loaded).items():
        people = _mapping(submission).get("submitters")
        for person in cast("list[Any]", people) if isinstance(people, list) else []:
            fields = _mapping(person)
            name, student_id, email = (clean_line(str(fields.get(key) or "")) for key in ("name", "sid", "email"))
            submitters.setdefault(str(folder), []).append(Person(name, student_id, email))
    return submitters


def _mapping(loaded: object) -> dict[str, Any]:
    """A mapping with plain keys: the exporter writes ``:name`` for ``name``."""
    if not isinstance(loaded, dict):
        return {}
    return {str(key).lstrip(":"): value for key, value in cast("dict[object, Any]", loaded).items()}


def read_folders(source: SubmissionSource) -> Iterator[HandIn]:
    """One hand-in for each folder, zip and Python file."""
    for entry in source.entries():
        if entry.is_folder or entry.suffix in HAND_IN_SUFFIXES:
            name = entry.name if entry.is_folder else entry.name[: -len(entry.suffix)]
            pieces = (source.piece(entry),)
            yield HandIn(name, Person(), f"{source.location}/{entry.name}", pieces, entry_name=entry.name)
