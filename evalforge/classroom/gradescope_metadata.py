"""Reads the list of submitters that Gradescope puts next to the submissions of an export."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

import yaml

from evalforge.classroom.hand_in import Person
from evalforge.model.text import clean_line, clean_name

GRADESCOPE_METADATA = "submission_metadata.yml"
MAX_METADATA_BYTES = 20_000_000


@dataclass(frozen=True)
class GradescopeSubmission:
    """Who submitted, and when (empty if unknown)."""

    people: tuple[Person, ...]
    handed_in: str = ""


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


def read_metadata(raw: bytes) -> dict[str, GradescopeSubmission]:
    """Return the submissions that the metadata names, by folder name; none if it can't be read."""
    try:
        document: Any = yaml.load(raw.decode("utf-8", "replace"), _Loader)  # noqa: S506 - a safe loader of ours
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    submissions: dict[str, GradescopeSubmission] = {}
    for folder, value in _mapping(document).items():
        fields = _mapping(value)
        people = fields.get("submitters")
        persons = tuple(_person(person) for person in cast("list[Any]", people)) if isinstance(people, list) else ()
        submissions[str(folder)] = GradescopeSubmission(persons, _time_text(fields.get("created_at")))
    return submissions


def _person(submitter: object) -> Person:
    fields = _mapping(submitter)
    return Person(*(clean_name(str(fields.get(key) or "")) for key in ("name", "sid", "email")))


def _time_text(value: object) -> str:
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    return clean_line(str(value or ""), 40)


def _mapping(loaded: object) -> dict[str, Any]:
    """Return a mapping with plain keys: the exporter writes ``:name`` for ``name``."""
    if not isinstance(loaded, dict):
        return {}
    return {str(key).lstrip(":"): value for key, value in cast("dict[object, Any]", loaded).items()}
