"""A session in the child: the player's modules, called from the other side of the border.

The client sends one operation at a time and gets ``{"ok": value}`` or ``{"raised": {...}}``. Objects that aren't plain
data stay here and cross as numbered handles. While an operation runs, the player's code may call a function of the
client's: that goes out as ``{"callback": ...}`` and is answered before anything else happens.
"""

from __future__ import annotations

import asyncio
import builtins
import importlib
import operator
import sys

import values
import wire

_MESSAGE_CAP = 2000
_ARGS_CAP = 20_000
_HANDLE_CAP = 100_000
_TEXT_CAP = 200


def serve(descriptor, reporter):
    """Answer operations until the client hangs up."""
    line = wire.line_from(descriptor)
    objects = Objects(line)
    while True:
        try:
            request = wire.receive_frame(line)
        except wire.WireError:
            return
        try:
            answer = {"ok": objects.encode(_perform(objects, request))}
        except wire.WireError:
            return
        except BaseException as error:
            answer = {"raised": _describe(objects, error, reporter)}
        _flush()
        try:
            wire.send_frame(line, answer, wire.ANSWER_CAP)
        except wire.TooLongError as refused:
            wire.send_frame(line, {"raised": _plain("ValueError", "the answer is too long: " + str(refused))})


class Objects:
    """The objects the client holds handles of, and the client's functions we hold handles of."""

    def __init__(self, line):
        self.line = line
        self.by_number = {}
        self.numbers = {}

    def encode(self, value):
        """A value as it crosses to the client."""
        return values.encode(value, self._handle)

    def decode(self, value):
        """A value as it came from the client."""
        return values.decode(value, self._special)

    def _handle(self, value, base):
        number = self.numbers.get(id(value))
        if number is None:
            number = len(self.by_number)
            if number >= _HANDLE_CAP:
                raise MemoryError("too many objects in use")
            self.by_number[number] = value
            self.numbers[id(value)] = number
        answer = {"!": "handle", "v": number, "type": values.class_name(value)[:_TEXT_CAP]}
        if base is not None:
            answer["base"] = base
        return answer

    def _special(self, value):
        if value["!"] == "handle":
            return self.by_number[value["v"]]
        if value["!"] == "callback":
            return self._callback(value["v"])
        raise TypeError("unknown value")

    def _callback(self, number):
        def call(*args, **kwargs):
            request = {"callback": number, "args": [self.encode(arg) for arg in args]}
            request["kwargs"] = {name: self.encode(arg) for name, arg in kwargs.items()}
            wire.send_frame(self.line, request, wire.ANSWER_CAP)
            answer = wire.receive_frame(self.line)
            if "raise" in answer:
                kind = getattr(builtins, answer["raise"], RuntimeError)
                raise kind(answer["message"])
            return self.decode(answer["return"])

        return call


def _perform(objects, request):
    operation = request["op"]
    args = [objects.decode(arg) for arg in request.get("args", [])]
    kwargs = {name: objects.decode(arg) for name, arg in request.get("kwargs", {}).items()}
    return _OPERATIONS[operation](*args, **kwargs)


def _import(name):
    return importlib.import_module(name)


def _call(function, args, kwargs):
    return function(*args, **kwargs)


def _next(iterator):
    """The next item in a list of one; an empty list at the end."""
    try:
        return [next(iterator)]
    except StopIteration:
        return []


def _type_names(value):
    return [kind.__name__ for kind in type(value).__mro__]


def _leave(manager, raised):
    """Leave a ``with`` block, with an exception of this builtin name or none."""
    if raised is None:
        return bool(type(manager).__exit__(manager, None, None, None))
    error = getattr(builtins, raised[0], RuntimeError)(raised[1])
    return bool(type(manager).__exit__(manager, type(error), error, None))


def _enter(manager):
    return type(manager).__enter__(manager)


def _wait(awaitable):
    async def waiting():
        return await awaitable

    return asyncio.run(waiting())


def _drive(source, name, args):
    """Run a driver that the trial ships: operations only, it holds no expectation."""
    namespace = {"__name__": "trial_driver"}
    exec(compile(source, "<driver>", "exec"), namespace)
    result = namespace[name](*args)
    return _wait(result) if asyncio.iscoroutine(result) else result


_OPERATIONS = {
    "import": _import,
    "get": getattr,
    "set": setattr,
    "has": hasattr,
    "del": delattr,
    "call": _call,
    "iter": iter,
    "next": _next,
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
    "enter": _enter,
    "leave": _leave,
    "wait": _wait,
    "drive": _drive,
}


def _describe(objects, error, reporter):
    path, line = reporter.place_of(error.__traceback__)
    if isinstance(error, SyntaxError) and str(error.filename or "").startswith(reporter.source):
        path, line = error.filename[len(reporter.source) :], error.lineno or 0
    try:
        message = str(error)[:_MESSAGE_CAP]
    except BaseException:
        message = ""
    try:
        args = [values.encode(arg) for arg in error.args]
        args = args if len(repr(args)) <= _ARGS_CAP else [message]
    except BaseException:
        args = [message]
    described = {
        "type": values.class_name(error)[:_TEXT_CAP],
        "bases": values.base_names(error),
        "message": message,
        "args": args,
        "path": path,
        "line": line,
        "refused": reporter.refused(error),
    }
    try:
        described["handle"] = objects.encode(error)
    except Exception:
        described["handle"] = None
    return described


def _plain(kind, message):
    return {
        "type": kind,
        "bases": [kind],
        "message": message,
        "args": [message],
        "path": "",
        "line": 0,
        "handle": None,
    }


def _flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            continue
