"""YAML and JSON files read so that every error names its file and line."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import yaml
from pydantic import BaseModel, ValidationError

from evalforge.library.yaml12 import Loader
from evalforge.model.errors import PackError
from evalforge.model.text import clean_line

_SIZE_CAP = 2_000_000
_DEPTH_CAP = 40
_JSON_ONLY = re.compile(r"\\u[0-9a-fA-F]{4}")
Location = tuple[str | int, ...]
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Document:
    """A parsed file. ``lines`` maps a location (keys and indices from the root) to its line, counted from 1."""

    path: Path
    data: Any
    lines: dict[Location, int]

    def line_of(self, location: Location) -> int:
        """The line of a location, or of the nearest thing around it that the file holds."""
        for end in range(len(location), -1, -1):
            if location[:end] in self.lines:
                return self.lines[location[:end]]
        return 1

    def parse(self, model: type[M]) -> M:
        """Build a model from the data.

        Raises:
            PackError: The data does not fit; it names the line of the first misfit.
        """
        try:
            return model.model_validate(self.data)
        except ValidationError as error:
            raise self._misfits(error)[0] from None

    def misfits(self, model: type[M]) -> tuple[PackError, ...]:
        """Everything that keeps the data from being this model, what explains most first; empty if it fits."""
        try:
            model.model_validate(self.data)
        except ValidationError as error:
            return tuple(self._misfits(error))
        return ()

    def _misfits(self, error: ValidationError) -> list[PackError]:
        # A key nobody knows is most often a misspelt one, and explains the key that is missing.
        found = sorted(error.errors(), key=lambda e: e["type"] != "extra_forbidden")
        return [self._misfit(one["type"], one["loc"], one["msg"]) for one in found]

    def _misfit(self, kind: str, location: Location, told: str) -> PackError:
        where = ".".join(str(part) for part in location)
        message = _in_words(kind, told)
        return PackError(self.path, self.line_of(location), f"{where}: {message}" if where else message)


def _in_words(kind: str, message: str) -> str:
    if kind == "missing":
        return "this key is missing"
    if kind == "extra_forbidden":
        return "this key is not known here"
    return message.removeprefix("Value error, ")


def read_document(path: Path) -> Document:
    """Read a YAML or JSON file.

    Raises:
        PackError: It is missing, unreadable, too large, not UTF-8, not well-formed, or holds a key twice.
    """
    text = read_text(path).removeprefix("\ufeff")
    if text.lstrip().startswith(("{", "[")):
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            if path.suffix == ".json":
                raise PackError(path, 1, "this is not valid JSON") from None
        else:
            # YAML's parser knows the lines; it stumbles over JSON's tabs and surrogate escapes, which hold no lines.
            return Document(path, data, _read_yaml(path, _JSON_ONLY.sub("      ", text.replace("\t", " ")))[1])
    return Document(path, *_read_yaml(path, text))


def read_text(path: Path) -> str:
    """Read a text file of a pack.

    Raises:
        PackError: It is missing, unreadable, too large or not UTF-8.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(_SIZE_CAP + 1)
    except FileNotFoundError:
        raise PackError(path, None, "this file is missing") from None
    except OSError as error:
        raise PackError(path, None, f"this file can't be read ({error.strerror})") from None
    if len(raw) > _SIZE_CAP:
        raise PackError(path, None, f"this file is larger than {_SIZE_CAP:,} bytes")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise PackError(path, line, "this line is not UTF-8 text") from None


def _read_yaml(path: Path, text: str) -> tuple[Any, dict[Location, int]]:
    loader = Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            raise PackError(path, 1, "this file is empty")
        lines: dict[Location, int] = {}
        _check(path, node, (), lines, 0)
        return cast("Any", loader).construct_document(node), lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        raise PackError(path, line, f"not valid YAML: {clean_line(error.problem or 'syntax error')}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise PackError(path, None, f"not valid YAML: {clean_line(str(error))}") from None
    finally:
        loader.dispose()


def _check(path: Path, node: yaml.Node, location: Location, lines: dict[Location, int], depth: int) -> None:
    """Note each node's line; refuse keys that stand twice and aliases (which can grow without bound)."""
    if location in lines or depth > _DEPTH_CAP:
        raise PackError(path, node.start_mark.line + 1, "nested too deeply")
    lines[location] = node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        for index, child in enumerate(node.value):
            _check(path, child, (*location, index), lines, depth + 1)
    elif isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, child in node.value:
            name = str(key.value)
            if name in seen:
                raise PackError(path, key.start_mark.line + 1, f"the key {name!r} stands here twice")
            seen.add(name)
            _check(path, child, (*location, name), lines, depth + 1)
            lines[(*location, name)] = key.start_mark.line + 1
