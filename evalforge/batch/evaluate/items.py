"""What is judged: items with an id, perhaps a bucket and a cluster, and whatever they hold."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from evalforge.judges.rendering import neutral
from evalforge.model.errors import PackError
from evalforge.model.numbers import is_finite
from evalforge.model.text import clean_line

_SIZE_CAP = 1_000_000_000
_ID_CAP = 200
_OURS = frozenset({"item_id", "bucket", "cluster", "singleton"})
_TITLES = ("title", "theme", "name", "label", "summary")
_SINGLE_BUCKETS = frozenset({"singleton", "singletons"})
JSON = Any
"""Whatever JSON can hold."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to judge.

    Attributes:
        item_id: Its id as it was given, a text or a number.
        content: What the judge is shown.
        bucket: Its stratum; empty if it names none.
        cluster: The cluster it belongs to; empty if it names none.
        single: Whether it stands outside every cluster.
    """

    item_id: str | int | float
    content: JSON
    bucket: str = ""
    cluster: str = ""
    single: bool = False

    @property
    def key(self) -> str:
        """Its id as text: ids are compared so, since a judge may answer 7 as "7"."""
        return key_of(self.item_id)


def key_of(item_id: str | float) -> str:
    """An id as text; 7 and 7.0 are one id."""
    return str(int(item_id)) if isinstance(item_id, float) and item_id.is_integer() else str(item_id)


@dataclass(frozen=True)
class Cluster:
    """A cluster as singletons are compared with it: an id and a title, never its contents."""

    cluster_id: str
    title: str


@dataclass(frozen=True)
class Population:
    """Everything that could be judged, and what was measured beside it.

    Attributes:
        items: All items, singletons that were given among them included.
        singletons: Items given apart, outside every cluster.
        clusters: The clusters that are known.
        values: What was measured: numbers for gates and diagnostics.
    """

    items: tuple[Item, ...]
    singletons: tuple[Item, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    values: Mapping[str, JSON] = field(default_factory=dict[str, JSON])

    def apart(self) -> "Population":
        """The same, with singletons that stand among the items moved out of them."""
        return Population(
            items=tuple(item for item in self.items if not item.single),
            singletons=(*self.singletons, *(item for item in self.items if item.single)),
            clusters=self.clusters,
            values=self.values,
        )


class ItemsError(ValueError):
    """Items that can't be used. ``index`` counts them from 1; 0 where none is to blame."""

    def __init__(self, message: str, index: int = 0) -> None:
        super().__init__(message)
        self.index = index


def read_items(path: Path) -> Population:
    """Read items from JSON (a list, or an object with ``items``) or JSONL.

    Raises:
        PackError: The file can't be used; it names the line where there is one to blame.
    """
    text = _text(path)
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        return _from_lines(path, text)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        # A file of lines may be called anything.
        if text.count("\n") and text.lstrip().startswith("{"):
            return _from_lines(path, text)
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise PackError(path, line, f"this is not valid JSON ({clean_line(str(error), cap=120)})") from None
    try:
        return population_of(data)
    except ItemsError as error:
        raise PackError(path, None, str(error)) from None


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _SIZE_CAP:
            raise PackError(path, None, f"this file is larger than {_SIZE_CAP:,} bytes")
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
    places: list[int] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            entries.append(json.loads(line))
        except (ValueError, RecursionError):
            raise PackError(path, number, "this line is not valid JSON") from None
        places.append(number)
    try:
        return population_of(entries)
    except ItemsError as error:
        raise PackError(path, places[error.index - 1] if error.index else None, str(error)) from None


def population_of(data: JSON) -> Population:
    """Items out of parsed JSON.

    Raises:
        ItemsError: There are none, one has no id, or two have the same.
    """
    if not isinstance(data, dict | list):
        raise ItemsError("items are a list, or an object with a list called items")
    found = cast("dict[str, JSON]", {"items": data} if isinstance(data, list) else data)
    items = tuple(_items(found.get("items"), "items"))
    singletons = tuple(_items(found.get("singletons", []), "singletons"))
    _unique((*items, *singletons))
    values = {name: value for name, value in found.items() if name not in ("items", "singletons", "clusters")}
    return Population(items, singletons, tuple(_clusters(found.get("clusters"), items)), values)


def _items(given: JSON, name: str) -> Iterator[Item]:
    if not isinstance(given, list):
        raise ItemsError(f"there is no list called {name}")
    for index, entry in enumerate(cast("list[JSON]", given), start=1):
        yield _item(entry, f"{name}, number {index}", index, single=name == "singletons")


def _item(entry: JSON, place: str, index: int, *, single: bool) -> Item:
    if not isinstance(entry, dict):
        raise ItemsError(f"{place}: an item is an object with an item_id", index)
    fields = cast("dict[str, JSON]", entry)
    name = "item_id" if "item_id" in fields else "id"
    item_id = fields.get(name)
    if isinstance(item_id, bool) or not (
        isinstance(item_id, str) or (isinstance(item_id, int | float) and is_finite(item_id))
    ):
        raise ItemsError(f"{place}: item_id is a text or a number", index)
    if not 0 < len(str(item_id)) <= _ID_CAP:
        raise ItemsError(f"{place}: an item_id has 1 to {_ID_CAP} characters", index)
    if not _is_shown_as_it_is(str(item_id)):
        told = f"an item_id has no invisible characters and no marks of turns, as {neutral(str(item_id))} has"
        raise ItemsError(f"{place}: {told}", index)
    bucket = fields.get("bucket")
    cluster = fields.get("cluster")
    named = _cluster_id(cluster)
    alone = fields.get("singleton") is True or str(bucket) in _SINGLE_BUCKETS or ("cluster" in fields and not named)
    rest = {key: value for key, value in fields.items() if key not in _OURS and key != name}
    content = rest["content"] if set(rest) == {"content"} else rest
    stratum = "" if bucket is None else str(bucket).encode("utf-8", "replace").decode()
    return Item(item_id, content, stratum, named, single or alone)


def _is_shown_as_it_is(text: str) -> bool:
    """Whether a judge reads it as it was given, so that it can give it back so."""
    quoted = f'"{text}"'
    return neutral(quoted) == quoted


def _cluster_id(given: JSON) -> str:
    if isinstance(given, dict):
        given = cast("dict[str, JSON]", given).get("cluster_id", cast("dict[str, JSON]", given).get("id"))
    return "" if given is None or isinstance(given, bool | list | dict) else key_of(given)


def _unique(items: Iterable[Item]) -> None:
    seen: set[str] = set()
    for index, item in enumerate(items, start=1):
        if item.key in seen:
            raise ItemsError(f"the item_id {clean_line(item.key, cap=60)!r} stands here twice", index)
        seen.add(item.key)


def _clusters(given: JSON, items: tuple[Item, ...]) -> Iterator[Cluster]:
    """Clusters as they are listed, else those items name, else the items themselves, if they have titles."""
    if isinstance(given, list):
        for entry in cast("list[JSON]", given):
            fields = cast("dict[str, JSON]", entry) if isinstance(entry, dict) else {"id": entry}
            name = next((fields[key] for key in ("cluster_id", "item_id", "id") if fields.get(key) is not None), None)
            if isinstance(name, str | int | float) and not isinstance(name, bool):
                yield Cluster(key_of(name), _title(fields) or key_of(name))
        return
    named = dict.fromkeys(item.cluster for item in items if item.cluster)
    if named:
        yield from (Cluster(name, name) for name in named)
        return
    for item in items:
        content = cast("object", item.content)
        title = _title(cast("dict[str, JSON]", content)) if isinstance(content, dict) and not item.single else ""
        if title:
            yield Cluster(item.key, title)


def _title(fields: dict[str, JSON]) -> str:
    return next(
        (clean_line(value) for key in _TITLES if isinstance(value := fields.get(key), str) and value.strip()), ""
    )
