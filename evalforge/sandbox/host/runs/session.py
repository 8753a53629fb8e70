"""A session in the child, which serves the client's calls into the player's modules.

The client sends one operation at a time and gets ``{"ok": value}`` or ``{"raised": {...}}``. Objects that aren't plain
data stay here, and the client gets numbered handles. During an operation, the player's code may call a function of the
client's: that sends ``{"callback": ...}``, and is answered before anything else happens.
"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import importlib
import operator
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from protocol import run_messages, values, wire

from .failure_report import FailureReporter, message_of

_MAX_MESSAGE_CHARS = 2000
_MAX_ARGUMENTS_CHARS = 20_000
_MAX_OBJECTS = 100_000
_MAX_NAME_CHARS = 200


def serve_session(connection: socket.socket, reporter: FailureReporter) -> None:
    """Answer operations until the client disconnects."""
    objects = SessionObjects(connection)
    while True:
        try:
            operation = run_messages.parse_operation(wire.receive_frame(connection))
        except wire.WireError:
            return
        try:
            answer: dict[str, Any] = {"ok": objects.encode(_perform(objects, operation))}
        except wire.WireError:
            return
        except BaseException as error:  # noqa: BLE001 - the player's code may raise anything
            answer = {"raised": _describe_error(objects, error, reporter)}
        _flush_standard_streams()
        try:
            wire.send_frame(connection, answer, wire.MAX_ANSWER_BYTES)
        except wire.WireFrameTooLongError as error:
            wire.send_frame(connection, {"raised": _value_error("the answer is too long: " + str(error))})


class SessionObjects:
    """The objects that the client has handles of, and the client's functions that we have handles of."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._by_number: dict[int, Any] = {}
        self._numbers: dict[int, int] = {}

    def encode(self, value: Any) -> Any:
        """Encode a value for the client; objects that aren't plain data become handles."""
        return values.encode(value, self._encode_object)

    def decode(self, value: Any) -> Any:
        """Decode a value from the client; handles become objects, and callbacks functions."""
        return values.decode(value, self._decode_object)

    def _encode_object(self, value: Any, base_value: Any) -> Any:
        number = self._numbers.get(id(value))
        if number is None:
            number = len(self._by_number)
            if number >= _MAX_OBJECTS:
                raise MemoryError("too many objects in use")
            self._by_number[number] = value
            self._numbers[id(value)] = number
        handle: dict[str, Any] = {"!": "handle", "v": number, "type": values.class_name(value)[:_MAX_NAME_CHARS]}
        if base_value is not None:
            handle["base"] = base_value
        return handle

    def _decode_object(self, value: dict[str, Any]) -> Any:
        if value["!"] == "handle":
            return self._by_number[value["v"]]
        if value["!"] == "callback":
            return self._callback(value["v"])
        raise TypeError("unknown value")

    def _callback(self, number: int) -> Callable[..., Any]:
        """Make a function that calls one of the client's functions."""

        def call(*args: Any, **kwargs: Any) -> Any:
            request = {
                "callback": number,
                "args": [self.encode(arg) for arg in args],
                "kwargs": {name: self.encode(arg) for name, arg in kwargs.items()},
            }
            wire.send_frame(self._connection, request, wire.MAX_ANSWER_BYTES)
            answer = run_messages.parse_callback_answer(wire.receive_frame(self._connection))
            if answer.error_name:
                raise _builtin_error(answer.error_name, answer.error_message)
            return self.decode(answer.value)

        return call


def _perform(objects: SessionObjects, operation: run_messages.Operation) -> Any:
    args = [objects.decode(arg) for arg in operation.args]
    kwargs = {name: objects.decode(arg) for name, arg in operation.kwargs.items()}
    return _OPERATIONS[operation.name](*args, **kwargs)


def _builtin_error(name: str, message: str) -> BaseException:
    return getattr(builtins, name, RuntimeError)(message)


def _call(function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)


def _next_item(iterator: Iterator[Any]) -> list[Any]:
    """The next item in a list of one, or an empty list at the end."""
    try:
        return [next(iterator)]
    except StopIteration:
        return []


def _type_names(value: object) -> list[str]:
    return [kind.__name__ for kind in type(value).__mro__]


_type_of: Callable[[Any], Any] = type
"""Like ``with``, look up the methods of a context manager in its class."""


def _enter_context(manager: Any) -> Any:
    return _type_of(manager).__enter__(manager)


def _leave_context(manager: Any, error_fields: list[str] | None) -> bool:
    """Leave a ``with`` block, either normally or with an exception given by its builtin name and message."""
    leave = _type_of(manager).__exit__
    if error_fields is None:
        return bool(leave(manager, None, None, None))
    error = _builtin_error(error_fields[0], error_fields[1])
    return bool(leave(manager, type(error), error, None))


def _wait_for(awaitable: Awaitable[Any]) -> Any:
    async def wait() -> Any:
        return await awaitable

    return asyncio.run(wait())


def _run_driver(source: str, name: str, args: list[Any]) -> Any:
    """Run a trial's driver, which has operations but no expected results."""
    namespace: dict[str, Any] = {"__name__": "trial_driver"}
    exec(compile(source, "<driver>", "exec"), namespace)  # noqa: S102 - running code is the purpose
    result = namespace[name](*args)
    return _wait_for(result) if asyncio.iscoroutine(result) else result


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "import": importlib.import_module,
    "get": getattr,
    "set": setattr,
    "has": hasattr,
    "del": delattr,
    "call": _call,
    "iter": iter,
    "next": _next_item,
    "len": len,
    "bool": bool,
    "str": str,
    "repr": repr,
    "hash": hash,
    "item": operator.getitem,
    "set_item": operator.setitem,
    "del_item": operator.delitem,
    "in": operator.contains,
    "equal": operator.eq,
    "less": operator.lt,
    "types": _type_names,
    "list": list,
    "enter": _enter_context,
    "leave": _leave_context,
    "wait": _wait_for,
    "drive": _run_driver,
}


def _describe_error(objects: SessionObjects, error: BaseException, reporter: FailureReporter) -> dict[str, Any]:
    path, line = reporter.location_of(error)
    message = message_of(error, _MAX_MESSAGE_CHARS)
    try:
        args = [values.encode(arg) for arg in error.args]
        args = args if len(repr(args)) <= _MAX_ARGUMENTS_CHARS else [message]
    except BaseException:  # noqa: BLE001 - these may be the player's objects
        args = [message]
    described: dict[str, Any] = {
        "type": values.class_name(error)[:_MAX_NAME_CHARS],
        "bases": values.builtin_base_names(error),
        "message": message,
        "args": args,
        "path": path,
        "line": line,
        "refused": reporter.refusal_in(error),
        "handle": None,
    }
    with contextlib.suppress(Exception):
        described["handle"] = objects.encode(error)
    return described


def _value_error(message: str) -> dict[str, Any]:
    return {
        "type": "ValueError",
        "bases": ["ValueError"],
        "message": message,
        "args": [message],
        "path": "",
        "line": 0,
        "handle": None,
    }


def _flush_standard_streams() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
