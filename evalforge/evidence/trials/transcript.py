"""A transcript of what a trial did with the player's code: readable Python and, if it is small enough, runnable."""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from evalforge.evidence.trials.handles import Proxy, kind_of, number_of

_MAX_ITEMS = 24
_MAX_TEXT_CHARS = 240
_MAX_STATEMENTS = 40
_SCALARS: tuple[type, ...] = (bool, complex, Decimal, Fraction, datetime, date, time, timedelta)
_IMPORTS = {
    "asyncio.": "import asyncio",
    "contextlib.": "import contextlib",
    "datetime.": "import datetime",
    "Decimal(": "from decimal import Decimal",
    "Fraction(": "from fractions import Fraction",
}
_type: Any = type
_WITH_NAME = ("get", "set", "del")
_BRACKETS: dict[type, tuple[str, str]] = {list: ("[", "]"), tuple: ("(", ")"), set: ("{", "}")}


class Transcript:
    """The operations of one trial on the player's objects, written as Python statements.

    Attributes:
        statements: The operations so far, one statement each; only the first ones if there are very many.
        is_whole: Whether the statements are complete, with nothing left out or cut.
    """

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.is_whole = True
        self._has_raised = False
        self._drivers: dict[str, str] = {}
        self._names: dict[int, str] = {}
        self._variables: set[str] = set()

    def expression(self, operation: str, args: list[Any]) -> str:
        """An operation as a Python expression or statement, such as ``queue.put('a', 3)``."""
        if operation == "call":
            return self._call(*args)
        if operation == "drive":
            self._drivers[str(args[1])] = str(args[0])
            return f"{args[1]}({self._joined(args[2], ', ')})"
        if operation == "import":
            return f"import {args[0]}"
        if operation == "leave":
            return f"{self.literal(args[0])}.__exit__(None, None, None)"
        values = [args[0], *args[2:]] if operation in _WITH_NAME else args
        return _PATTERNS[operation].format(*map(self.literal, values), name=args[1] if operation in _WITH_NAME else "")

    def add(self, operation: str, args: list[Any], text: str, value: Any) -> None:
        """Add an operation, and name the object that it returned, if any."""
        is_new = isinstance(value, Proxy) and number_of(value) not in self._names
        if operation in ("import", "get") and isinstance(value, Proxy):
            if is_new:
                self._names[number_of(value)] = text.removeprefix("import ")
            if operation == "get":
                return
        elif is_new:
            text = f"{self._name(value)} = {text}"
        self._add_statement(text)

    def add_failed(self, text: str) -> None:
        """Add an operation that raised. If the trial goes on, so does the script."""
        self._add_statement(text)
        self._has_raised = True

    def script(self) -> str:
        """All operations as a script that prints the result of the last one; empty if the transcript is incomplete."""
        if not self.is_whole or not self.statements:
            return ""
        *before, last = self.statements
        lines = [*before, last if _is_statement(last) else f"print({last})"]
        body = "\n".join([*self._drivers.values(), *lines])
        imports = [line for sign, line in _IMPORTS.items() if sign in body]
        return "\n".join([*imports, body])

    def _add_statement(self, text: str) -> None:
        if self._has_raised:
            self.statements[-1] = f"with contextlib.suppress(Exception): {self.statements[-1]}"
            self._has_raised = False
        if len(self.statements) >= _MAX_STATEMENTS:
            self.is_whole = False
            return
        if text not in self.statements or not text.startswith("import "):
            self.statements.append(text)

    def _name(self, proxy: Proxy) -> str:
        stem = "my_" + (re.sub(r"\W+", "_", kind_of(proxy), flags=re.ASCII).strip("_").lower() or "object")
        name, count = stem, 1
        while name in self._variables:
            count += 1
            name = f"{stem}_{count}"
        self._variables.add(name)
        self._names[number_of(proxy)] = name
        return name

    def literal(self, value: Any) -> str:
        """A value as written in Python; long ones are cut, which makes the transcript incomplete."""
        kind: type[Any] = _type(value)
        if isinstance(value, Proxy):
            return self._names.get(number_of(value)) or self._unwritable(f"a {kind_of(value)}")
        if value is None or value is Ellipsis or kind in _SCALARS:
            return self._written(value)
        if kind is int:
            return repr(value) if value.bit_length() < _MAX_TEXT_CHARS else self._unwritable("a very long int")
        if kind is float:
            return repr(value) if value - value == 0 else f"float({str(value)!r})"
        if kind in (str, bytes, bytearray):
            return repr(value) if len(value) <= _MAX_TEXT_CHARS else self._unwritable(f"{value[:40]!r}…")
        if kind is dict:
            return self._collection(list(value.items()), "{", "}", lambda pair: self._joined(pair, ": "))
        if kind is frozenset:
            return f"frozenset({self._collection(sorted(value, key=repr), '[', ']', self.literal)})"
        if kind is set and not value:
            return "set()"
        if kind in _BRACKETS:
            start, end = _BRACKETS[kind]
            end = ",)" if kind is tuple and len(value) == 1 else end
            return self._collection(list(value), start, end, self.literal)
        return self._unwritable(getattr(value, "__name__", "") or kind.__name__)

    def _written(self, value: Any) -> str:
        text = repr(value)
        return text if len(text) <= _MAX_TEXT_CHARS else self._unwritable(f"{text[:40]}…")

    def _joined(self, items: Any, separator: str) -> str:
        return separator.join(self.literal(item) for item in items)

    def _collection(self, items: list[Any], start: str, end: str, write: Callable[[Any], str]) -> str:
        items_text = ", ".join(write(item) for item in items[:_MAX_ITEMS])
        if len(items) > _MAX_ITEMS:
            items_text += self._unwritable(f", … {len(items) - _MAX_ITEMS} more")
        return f"{start}{items_text}{end}"

    def _unwritable(self, text: str) -> str:
        self.is_whole = False
        return text

    def _call(self, function: Any, positional: list[Any], keywords: Mapping[str, Any]) -> str:
        literals = [self.literal(arg) for arg in positional]
        literals += [f"{name}={self.literal(arg)}" for name, arg in keywords.items()]
        return f"{self.literal(function)}({', '.join(literals)})"


def _is_statement(text: str) -> bool:
    """Whether a line of code is a statement without a value: an assignment, an import, a deletion."""
    try:
        compile(text, "<trial>", "eval")
    except (SyntaxError, ValueError):
        return True
    return False


_PATTERNS: Mapping[str, str] = {
    "get": "{0}.{name}",
    "set": "{0}.{name} = {1}",
    "del": "del {0}.{name}",
    "wait": "asyncio.run({0})",
    "equal": "{0} == {1}",
    "len": "len({0})",
    "bool": "bool({0})",
    "str": "str({0})",
    "iter": "iter({0})",
    "next": "next({0})",
    "item": "{0}[{1}]",
    "set_item": "{0}[{1}] = {2}",
    "del_item": "del {0}[{1}]",
    "in": "{1} in {0}",
    "enter": "{0}.__enter__()",
    "less": "{0} < {1}",
    "types": "[kind.__name__ for kind in type({0}).__mro__]",
}
