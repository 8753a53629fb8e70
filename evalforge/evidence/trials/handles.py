"""Proxies for the player's objects that can't be sent by value: they are used from here through handle numbers."""

from collections.abc import Iterator
from types import TracebackType
from typing import Any, Protocol, cast

from evalforge.evidence.trials.player_errors import builtin_name


class OperationRunner(Protocol):
    """Performs an operation in the player's process and returns its value."""

    def perform(self, operation: str, args: list[Any]) -> Any:
        """Perform an operation, such as ``call`` or ``item``, on the first of ``args``."""


def number_of(proxy: "Proxy") -> int:
    """The handle number of the object that a proxy represents."""
    return object.__getattribute__(proxy, "_number")


def kind_of(proxy: "Proxy") -> str:
    """The class name of the object that a proxy represents."""
    return object.__getattribute__(proxy, "_kind")


def data_of(value: Any) -> Any:
    """The built-in value inside one of the player's objects, if there is one; other values unchanged."""
    has_base = isinstance(value, Proxy) and object.__getattribute__(value, "_has_base")
    return object.__getattribute__(value, "_base") if has_base else value


def value_words(value: Any) -> str:
    """A value as shown in a trial's steps."""
    return f"a {kind_of(value)}" if isinstance(value, Proxy) else repr(value)[:80]


class Proxy:
    """One of the player's objects. All operations on it are performed in the player's process.

    For an instance of a subclass of a built-in type, the built-in value is copied here. Comparison, length and indexing
    use that copy, so that no method of the player's decides whether it equals what was expected.
    """

    __slots__ = ("_base", "_has_base", "_kind", "_number", "_session")

    def __init__(self, session: OperationRunner, number: int, kind: str, base: Any, has_base: bool) -> None:
        for name, value in (
            ("_session", session),
            ("_number", number),
            ("_kind", kind),
            ("_base", base),
            ("_has_base", has_base),
        ):
            object.__setattr__(self, name, value)

    def _do(self, operation: str, *args: Any) -> Any:
        session: OperationRunner = object.__getattribute__(self, "_session")
        return session.perform(operation, [self, *args])

    def _do_to(self, target: "Proxy", operation: str) -> Any:
        session: OperationRunner = object.__getattribute__(self, "_session")
        return session.perform(operation, [target])

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__") or name in Proxy.__slots__ or name in ("_do", "_do_to"):
            return object.__getattribute__(self, name)
        return self._do("get", name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._do("set", name, value)

    def __delattr__(self, name: str) -> None:
        self._do("del", name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the object in the player's process."""
        return self._do("call", list(args), kwargs)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Proxy):
            is_same = number_of(self) == number_of(other)
            return is_same or (self._has_base and other._has_base and self._base == other._base)
        return bool(self._has_base and self._base == other)

    def __hash__(self) -> int:
        return hash(self._base) if self._has_base else hash(number_of(self))

    def __len__(self) -> int:
        return len(self._base) if self._has_base else int(self._do("len"))

    def __bool__(self) -> bool:
        return bool(self._base) if self._has_base else bool(self._do("bool"))

    def __str__(self) -> str:
        return str(self._base) if self._has_base else str(self._do("str"))

    def __repr__(self) -> str:
        return f"<{self._kind} object>"

    def __getitem__(self, key: Any) -> Any:
        return cast("Any", self._base)[key] if self._has_base else self._do("item", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._do("set_item", key, value)

    def __delitem__(self, key: Any) -> None:
        self._do("del_item", key)

    def __contains__(self, item: Any) -> bool:
        return item in self._base if self._has_base else bool(self._do("in", item))

    def __iter__(self) -> Iterator[Any]:
        if self._has_base:
            yield from cast("Any", self._base)
            return
        iterator: Proxy = self._do("iter")
        while more := cast("list[Any]", self._do_to(iterator, "next")):
            yield more[0]

    def __enter__(self) -> Any:
        return self._do("enter")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        raised = None if not isinstance(error, Exception) else [builtin_name(error), str(error)]
        return bool(self._do("leave", raised))

    def __lt__(self, other: Any) -> bool:
        return self._base < other if self._has_base else bool(self._do("less", other))

    def __float__(self) -> float:
        return float(self._base)

    def __int__(self) -> int:
        return int(self._base)
