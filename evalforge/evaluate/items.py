"""The items to judge: each has an id, optionally a bucket and a cluster, and any content.

``{"items": [{"item_id": 7, "bucket": "long", "text": "..."}], "singletons": [...], "clusters": [...]}``, a plain list
of items, a line of JSON for each, or a CSV table with ``item_id`` among its columns.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from evalforge.llm.submission_rendering import neutralize
from evalforge.model.errors import PackError
from evalforge.model.exact_numbers import is_finite
from evalforge.model.text import clean_line

_MAX_FILE_BYTES = 1_000_000_000
_MAX_ID_CHARS = 200
_MAX_CELL_CHARS = 10_000_000
_RESERVED_FIELDS = frozenset({"item_id", "bucket", "cluster", "singleton"})
_TITLE_FIELDS = ("title", "theme", "name", "label", "summary")
_SINGLETON_BUCKETS = frozenset({"singleton", "singletons"})
JSON = Any
"""Anything that JSON can represent."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item of an evaluation: its id and its fields.

    Attributes:
        item_id: Its id as it was given, a text or a number.
        content: What the judge sees.
        bucket: Its stratum; empty if it names none.
        cluster: The cluster it belongs to; empty if it names none.
        is_singleton: Whether it belongs to no cluster.
    """

    item_id: str | int | float
    content: JSON
    bucket: str = ""
    cluster: str = ""
    is_singleton: bool = False

    @property
    def key(self) -> str:
        """Its id as text; items are compared by it, because a judge may answer 7 as "7"."""
        return key_of(self.item_id)


def key_of(item_id: str | float) -> str:
    """Return an id as text; 7 and 7.0 are the same id."""
    return str(int(item_id)) if isinstance(item_id, float) and item_id.is_integer() else str(item_id)


@dataclass(frozen=True)
class ItemCluster:
    """A cluster as judges of singletons see it: an id and a title, never its contents."""

    cluster_id: str
    title: str


@dataclass(frozen=True)
class Population:
    """Everything that could be judged, and other measured values.

    Attributes:
        singletons: Items that are listed separately and belong to no cluster.
        values: Measured numbers, for gates and diagnostics.
    """

    items: tuple[Item, ...]
    singletons: tuple[Item, ...] = ()
    clusters: tuple[ItemCluster, ...] = ()
    values: Mapping[str, JSON] = field(default_factory=dict[str, JSON])

    def with_singletons_apart(self) -> "Population":
        """Return the same, with singletons among the items moved to the other singletons."""
        return Population(
            items=tuple(item for item in self.items if not item.is_singleton),
            singletons=(*self.singletons, *(item for item in self.items if item.is_singleton)),
            clusters=self.clusters,
            values=self.values,
        )


class ItemsError(ValueError):
    """Items that can't be used. ``index`` is the number of the bad one, from 1; 0 if no single one is to blame."""

    def __init__(self, message: str, index: int = 0) -> None:
        super().__init__(message)
        self.index = index


def read_items(path: Path) -> Population:
    """Read items from JSON (a list, or an object with ``items``), JSONL, or CSV with a heading for each field.

    Raises:
        PackError: The file can't be used; the message names the line if there is one to blame.
    """
    text = _text(path)
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        return _from_lines(path, text)
    if path.suffix.lower() in (".csv", ".tsv"):
        return _from_table(path, text)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        # A JSONL file may have any extension.
        if text.count("\n") and text.lstrip().startswith("{"):
            return _from_lines(path, text)
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise PackError(path, line, f"this is not valid JSON ({clean_line(str(error), cap=120)})") from None
    return _population_in(path, data)


def _population_in(path: Path, data: JSON, line_numbers: Sequence[int] = ()) -> Population:
    """Read the items of a file; if each is on a line of its own, the error names the line."""
    try:
        return population_of(data)
    except ItemsError as error:
        line = line_numbers[error.index - 1] if line_numbers and error.index else None
        raise PackError(path, line, str(error)) from None


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise PackError(path, None, f"this file is larger than {_MAX_FILE_BYTES:,} bytes")
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise PackError(path, None, "this file is missing") from None
    except OSError as error:
        raise PackError(path, None, f"this file can't be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise PackError(path, line, "this line is not UTF-8 text") from None


def _from_lines(path: Path, text: str) -> Population:
    entries: list[JSON] = []
    line_numbers: list[int] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            entries.append(json.loads(line))
        except (ValueError, RecursionError):
            raise PackError(path, number, "this line is not valid JSON") from None
        line_numbers.append(number)
    return _population_in(path, entries, line_numbers)


def _from_table(path: Path, text: str) -> Population:
    """Read an item from each row; its fields are text, and an empty ``cluster`` cell marks a singleton."""
    csv.field_size_limit(_MAX_CELL_CHARS)
    delimiter = "\t" if path.suffix.lower() == ".tsv" else max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    entries: list[JSON] = []
    line_numbers: list[int] = []
    try:
        headings = [name for name in rows.fieldnames or [] if name]
        if not {"item_id", "id"} & set(headings):
            raise PackError(path, 1, "the first line names no column item_id")
        for row in rows:
            entries.append({name: _cell(name, row.get(name)) for name in headings})
            line_numbers.append(rows.line_num)
    except csv.Error as error:
        raise PackError(path, rows.line_num + 1, f"this line is not valid CSV ({error})") from None
    without_blanks = [{name: value for name, value in entry.items() if value != ""} for entry in entries]
    return _population_in(path, without_blanks, line_numbers)


def _cell(name: str, text: str | None) -> JSON:
    if name == "cluster":
        return text or None
    if name == "singleton":
        return (text or "").strip().casefold() in ("true", "yes", "1")
    return text or ""


def population_of(data: JSON) -> Population:
    """Read items from parsed JSON.

    Raises:
        ItemsError: There are no items, one has no id, or two have the same id.
    """
    if not isinstance(data, dict | list):
        raise ItemsError("items are a list, or an object with a list called items")
    fields = cast("dict[str, JSON]", {"items": data} if isinstance(data, list) else data)
    items = tuple(_items(fields.get("items"), "items"))
    singletons = tuple(_items(fields.get("singletons", []), "singletons"))
    _check_unique((*items, *singletons))
    values = {name: value for name, value in fields.items() if name not in ("items", "singletons", "clusters")}
    return Population(items, singletons, tuple(_clusters(fields.get("clusters"), items)), values)


def _items(entries: JSON, name: str) -> Iterator[Item]:
    if not isinstance(entries, list):
        raise ItemsError(f"there is no list called {name}")
    for index, entry in enumerate(cast("list[JSON]", entries), start=1):
        yield _item(entry, f"{name}, number {index}", index, listed_as_singleton=name == "singletons")


def _item(entry: JSON, place: str, index: int, *, listed_as_singleton: bool) -> Item:
    if not isinstance(entry, dict):
        raise ItemsError(f"{place}: an item is an object with an item_id", index)
    fields = cast("dict[str, JSON]", entry)
    id_field = "item_id" if "item_id" in fields else "id"
    item_id = _checked_id(fields.get(id_field), place, index)
    bucket = fields.get("bucket")
    cluster_id = _cluster_id(fields.get("cluster"))
    has_no_cluster = "cluster" in fields and not cluster_id
    is_marked = fields.get("singleton") is True or str(bucket) in _SINGLETON_BUCKETS
    own_fields = {key: value for key, value in fields.items() if key not in _RESERVED_FIELDS and key != id_field}
    content = own_fields["content"] if set(own_fields) == {"content"} else own_fields
    stratum = "" if bucket is None else str(bucket).encode("utf-8", "replace").decode()
    return Item(item_id, content, stratum, cluster_id, listed_as_singleton or is_marked or has_no_cluster)


def _checked_id(item_id: JSON, place: str, index: int) -> str | int | float:
    if isinstance(item_id, bool) or not (
        isinstance(item_id, str) or (isinstance(item_id, int | float) and is_finite(item_id))
    ):
        raise ItemsError(f"{place}: item_id is a text or a number", index)
    if not 0 < len(str(item_id)) <= _MAX_ID_CHARS:
        raise ItemsError(f"{place}: an item_id has 1 to {_MAX_ID_CHARS} characters", index)
    quoted = f'"{item_id}"'
    # A judge must see it unchanged to be able to repeat it.
    if neutralize(quoted) != quoted:
        problem = f"an item_id has no invisible characters and no marks of turns, as {neutralize(str(item_id))} has"
        raise ItemsError(f"{place}: {problem}", index)
    return item_id


def _cluster_id(cluster: JSON) -> str:
    if isinstance(cluster, dict):
        fields = cast("dict[str, JSON]", cluster)
        cluster = fields.get("cluster_id", fields.get("id"))
    return "" if cluster is None or isinstance(cluster, bool | list | dict) else key_of(cluster)


def _check_unique(items: Iterable[Item]) -> None:
    item_ids: set[str] = set()
    for index, item in enumerate(items, start=1):
        if item.key in item_ids:
            raise ItemsError(f"the item_id {clean_line(item.key, cap=60)!r} appears twice", index)
        item_ids.add(item.key)


def _clusters(entries: JSON, items: tuple[Item, ...]) -> Iterator[ItemCluster]:
    """Yield the listed clusters, else those that items name, else items that have titles as clusters."""
    if isinstance(entries, list):
        for entry in cast("list[JSON]", entries):
            fields = cast("dict[str, JSON]", entry) if isinstance(entry, dict) else {"id": entry}
            cluster_id = next(
                (fields[key] for key in ("cluster_id", "item_id", "id") if fields.get(key) is not None), None
            )
            if isinstance(cluster_id, str | int | float) and not isinstance(cluster_id, bool):
                yield ItemCluster(key_of(cluster_id), _title(fields) or key_of(cluster_id))
        return
    cluster_ids = dict.fromkeys(item.cluster for item in items if item.cluster)
    if cluster_ids:
        yield from (ItemCluster(cluster_id, cluster_id) for cluster_id in cluster_ids)
        return
    for item in items:
        content = cast("object", item.content)
        title = _title(cast("dict[str, JSON]", content)) if isinstance(content, dict) and not item.is_singleton else ""
        if title:
            yield ItemCluster(item.key, title)


def _title(fields: dict[str, JSON]) -> str:
    return next(
        (clean_line(value) for key in _TITLE_FIELDS if isinstance(value := fields.get(key), str) and value.strip()), ""
    )
