"""Reading of YAML and JSON files so that every error names its file and line."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import yaml
from pydantic import BaseModel, ValidationError

from evalforge.model.errors import PackError
from evalforge.model.text import clean_line
from evalforge.packs.yaml12 import Loader

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

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
        """The line of a location, or of the nearest location around it that is in the file."""
        for end in range(len(location), -1, -1):
            if location[:end] in self.lines:
                return self.lines[location[:end]]
        return 1

    def parse(self, model: type[M]) -> M:
        """Build a model from the data.

        Raises:
            PackError: The data does not fit; names the line of the first error, with the others in ``further``.
        """
        try:
            return model.model_validate(self.data)
        except ValidationError as error:
            raise PackError.of_all(self._located_errors(error)) from None

    def errors_for(self, model: type[M]) -> tuple[PackError, ...]:
        """All errors in the data, if it doesn't fit the model; those that explain most come first."""
        try:
            model.model_validate(self.data)
        except ValidationError as error:
            return tuple(self._located_errors(error))
        return ()

    def _located_errors(self, error: ValidationError) -> list[PackError]:
        # An unknown key is most often a misspelt one, and then explains the key that is missing.
        details = sorted(error.errors(), key=lambda e: e["type"] != "extra_forbidden")
        inner = {detail["loc"][:end] for detail in details for end in range(len(detail["loc"]))}
        # A list whose bad items don't count may be too short as well, but that isn't a separate error.
        misfits = [
            self._misfit(detail) for detail in details if detail["type"] != "too_short" or detail["loc"] not in inner
        ]
        # A value that fits none of several types has one error per type, all with the same text.
        return list({str(misfit): misfit for misfit in misfits}.values())

    def _misfit(self, error: "ErrorDetails") -> PackError:
        """The error at its line, with the names of the keys around it; the line says which item of a list it is."""
        location, message = error["loc"], _message(error)
        while location and location not in self.lines and error["type"] != "missing":
            location = location[:-1]
        where = ".".join(part for part in location if isinstance(part, str))
        return PackError(self.path, self.line_of(location), f"{where}: {message}" if where else message)


_MESSAGES = {
    "missing": "this key is missing",
    "extra_forbidden": "this key is not allowed here",
    "string_type": "this must be text; put a number or a word like yes in quotes",
    "string_too_short": "this must not be empty",
    "string_too_long": "at most {max_length} characters are allowed",
    "string_pattern_mismatch": "{input} isn't allowed here",
    "too_short": "at least {min_length} are needed",
    "too_long": "at most {max_length} are allowed",
    "greater_than": "this must be above {gt}",
    "greater_than_equal": "this must be at least {ge}",
    "less_than": "this must be below {lt}",
    "less_than_equal": "this must be at most {le}",
    **dict.fromkeys(("tuple_type", "list_type"), "this must be a list"),
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), "this must be a mapping of keys to values"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "this must be true or false"),
    **dict.fromkeys(
        ("int_type", "int_parsing", "int_from_float", "float_type", "float_parsing", "finite_number"),
        "this must be a number",
    ),
}
"""The message for each kind of validation error, for the author of the file."""
_SHAPES = {
    "fact": "a fact is one name after trials., tests. or code.",
    "id": "an id starts with a letter, followed by letters, digits, - and _",
    "boss_id": "a boss_id has only lower-case letters, digits, - and _",
    "accent": "a colour is # and six hexadecimal digits",
}
"""The required form of the values of some keys."""


def _message(error: "ErrorDetails") -> str:
    message = _MESSAGES.get(error["type"])
    if message is None:
        return error["msg"].removeprefix("Value error, ")
    shape = _SHAPES.get(str(error["loc"][-1]), "") if error["type"] == "string_pattern_mismatch" else ""
    message += f"; {shape}" if shape else ""
    return message.format(input=repr(error["input"]), **{k: v for k, v in error.get("ctx", {}).items() if k != "input"})


def read_document(path: Path) -> Document:
    """Read a YAML or JSON file.

    Raises:
        PackError: It is missing, unreadable, too large, not UTF-8, not well-formed, or has a key twice.
    """
    text = read_text(path).removeprefix("\ufeff")
    if text.lstrip().startswith(("{", "[")):
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            if path.suffix == ".json":
                raise PackError(path, 1, "this is not valid JSON") from None
        else:
            # YAML's parser gives the lines; JSON's tabs and surrogate escapes confuse it, and no line depends on them.
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
        _check(path, node, (), lines, set())
        return cast("Any", loader).construct_document(node), lines
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        raise PackError(path, line, f"not valid YAML: {clean_line(error.problem or 'syntax error')}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise PackError(path, None, f"not valid YAML: {clean_line(str(error))}") from None
    finally:
        loader.dispose()


def _check(path: Path, node: yaml.Node, location: Location, lines: dict[Location, int], seen_ids: set[int]) -> None:
    """Record each node's line; refuse repeated keys, and aliases, which can grow without bound."""
    if len(location) > _DEPTH_CAP:
        raise PackError(path, node.start_mark.line + 1, "nested too deeply")
    _refuse_alias(path, node, seen_ids)
    lines[location] = node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        for index, child in enumerate(node.value):
            _check(path, child, (*location, index), lines, seen_ids)
    elif isinstance(node, yaml.MappingNode):
        keys: set[str] = set()
        for key, child in node.value:
            _refuse_alias(path, key, seen_ids)
            name = str(key.value)
            if name in keys:
                raise PackError(path, key.start_mark.line + 1, f"the key {name!r} appears twice")
            keys.add(name)
            _check(path, child, (*location, name), lines, seen_ids)
            lines[(*location, name)] = key.start_mark.line + 1


def _refuse_alias(path: Path, node: yaml.Node, seen_ids: set[int]) -> None:
    """Refuse an alias: it is the same node again, and would get the line of its anchor."""
    if id(node) in seen_ids:
        line = node.start_mark.line + 1
        raise PackError(path, line, "aliases (*) are not allowed: write it out")
    seen_ids.add(id(node))
