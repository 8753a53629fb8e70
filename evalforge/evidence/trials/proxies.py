"""The ``player`` fixture: the player's modules and objects, worked from outside their process."""

import inspect
import os
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import Any, cast

from evalforge.evidence.trials.clock import TIMES
from evalforge.evidence.trials.spoiled import SpoiledError
from evalforge.model.evidence import TrialStep
from evalforge.model.text import clean_line
from evalforge.sandbox.client import Host
from evalforge.sandbox.host import wire
from evalforge.sandbox.report import Ending, RunLimits, RunReport
from evalforge.sandbox.stage import Staged

_MOST_TAKEN = 32 * 1024 * 1024
_NO_MAPPING = {"KeyboardInterrupt", "GeneratorExit", "BaseException", "Exception", "object"}
_NAME_CAP = 300
_UNICODE = {"UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError"}


class PlayerError(Exception):
    """An exception of the player's code. Also an instance of the nearest builtin exception it derives from.

    Attributes:
        type_name: The name of its class.
        path, line: The innermost line of the player's code it passed through.
        refused: What the cage did not allow, e.g. ``open a socket``, if that is what it is about.
        original: A handle of the exception object.
    """

    type_name = ""
    path = ""
    line: int | None = None
    refused = ""
    original: Any = None


class Player:
    """The player's side of a trial. One process per trial, begun at the first use.

    Args:
        host: Where the code runs.
        staged: The submission on disk.
        limits: Bounds; ``limits.seconds`` is for each operation.
        note: Called with each step for the trial's story.
    """

    def __init__(
        self,
        host: Host,
        staged: Staged,
        limits: RunLimits,
        note: Callable[[TrialStep, RunReport | None], None],
    ) -> None:
        self._host = host
        self._staged = staged
        self._limits = limits
        self._note = note
        self._files: dict[str, bytes] = {}
        self._session: Session | None = None

    def files(self, files: Mapping[str, str | bytes]) -> None:
        """Put files in the working directory; only before the first use of the player's code."""
        assert self._session is None, "files() comes before the first use of the player's code"
        for name, content in files.items():
            self._files[name] = content.encode() if isinstance(content, str) else content

    def module(self, name: str) -> Any:
        """Import a module of the player's; the proxy's attributes are its contents."""
        return self._open().perform("import", [name], f"import {name}")

    def wait(self, awaitable: Any) -> Any:
        """Run an awaitable of the player's to its end and give its result."""
        return self._open().perform("wait", [awaitable], "await")

    def equal(self, left: Any, right: Any) -> bool:
        """Whether the player's objects call themselves equal: their word, so never proof of a right answer."""
        return bool(self._open().perform("equal", [left, right], "=="))

    def drive(self, function: Callable[..., Any], *args: Any) -> Any:
        """Ship a module-level function of the trial's, run it in the player's process, give its plain data.

        For threads and asyncio. It may import the player's modules; it must hold no expectations, for they can be
        read there.
        """
        source = textwrap.dedent(inspect.getsource(function))
        return self._open().perform("drive", [source, function.__name__, list(args)], f"{function.__name__}(…)")

    def read(self, name: str) -> bytes | None:
        """A file of the working directory, or None. Ends the session: call it last."""
        report = self.close()
        if report and name in report.files:
            return report.files[name]
        return self._files.get(name)

    def _open(self) -> "Session":
        if self._session is None:
            self._session = Session(self._host, self._staged, self._files, self._limits, self._note)
        return self._session

    def close(self) -> RunReport | None:
        """End the player's process, if one was begun."""
        return self._session.close() if self._session else None


class Session:
    """One child process and the operations performed in it."""

    def __init__(
        self,
        host: Host,
        staged: Staged,
        files: Mapping[str, bytes],
        limits: RunLimits,
        note: Callable[[TrialStep, RunReport | None], None],
    ) -> None:
        self._host = host
        self._limits = limits
        self._note = note
        self._folder = staged.path
        self._line = host.open(staged, files, limits, limits.seconds * TIMES)
        self._taken = 0
        self._callbacks: list[Callable[..., Any]] = []
        self._report: RunReport | None = None

    def perform(self, operation: str, args: list[Any], words: str) -> Any:
        """Perform one operation over there and give its value.

        Raises:
            PlayerError: The player's code raised.
            SpoiledError: It hung, died or flooded.
        """
        if self._report is not None:
            raise SpoiledError(self._report)
        deadline = time.monotonic() + self._limits.seconds
        request = {"op": operation, "args": [self.encode(arg) for arg in args]}
        try:
            wire.send_frame(self._line, request)
            answer = self._answer(deadline)
            error = self._error(answer["raised"]) if "raised" in answer else None
            value = None if error else self.decode(answer["ok"])
        except wire.WireTimeoutError:
            raise self._spoiled(words, late=True) from None
        except wire.ClosedError:
            raise self._spoiled(words) from None
        except wire.TooLongError:
            raise self._spoiled(words, why="handed over more than an answer may hold") from None
        except (wire.WireError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError):
            # What comes from there can be anything; a player must not be able to break more than their own trial.
            raise self._spoiled(words, why="sent something that is no answer") from None
        if error:
            self._note(TrialStep(call=words, result=clean_line(f"{error.type_name}: {error}")), None)
            raise error
        if operation in ("call", "import", "drive", "wait"):
            self._note(TrialStep(call=words, result=clean_line(_shown(value))), None)
        return value

    def _answer(self, deadline: float) -> dict[str, Any]:
        while True:
            most = min(wire.ANSWER_CAP, _MOST_TAKEN - self._taken)
            body = wire.receive_body(self._line, deadline, most)
            self._taken += len(body)
            received = wire.parse(body)
            if not isinstance(received, dict):
                raise wire.WireError("not an answer")
            answer = cast("dict[str, Any]", received)
            if "callback" not in answer:
                return answer
            self._call_back(answer)

    def _call_back(self, request: dict[str, Any]) -> None:
        """The player's code calls a function of the trial's."""
        function = self._callbacks[int(request["callback"])]
        args = [self.decode(arg) for arg in request["args"]]
        kwargs = {str(name): self.decode(arg) for name, arg in request["kwargs"].items()}
        try:
            answer = {"return": self.encode(function(*args, **kwargs))}
        except Exception as error:  # noqa: BLE001 - the trial's function may raise anything, for the player's code to see
            answer = {"raise": _builtin_name(error), "message": str(error)}
        wire.send_frame(self._line, answer)

    def encode(self, value: Any) -> Any:
        """A value as it crosses to the player's process."""
        return wire.encode(value, self._stand_in)

    def _stand_in(self, value: Any, base: Any) -> Any:
        if isinstance(value, Proxy):
            return {"!": "handle", "v": number_of(value)}
        if base is not None:
            return base
        if callable(value):
            self._callbacks.append(value)
            return {"!": "callback", "v": len(self._callbacks) - 1}
        raise TypeError(f"a {type(value).__name__} can't be handed to the player's code")

    def decode(self, value: Any) -> Any:
        """A value as it came back; other objects become proxies."""
        return wire.decode(value, self._proxy)

    def _proxy(self, value: dict[str, Any]) -> Any:
        if value.get("!") != "handle":
            raise wire.WireError("a value of unknown type")
        has_base = "base" in value
        base = self.decode(value["base"]) if has_base else None
        return Proxy(self, int(value["v"]), str(value.get("type", "object")), base, has_base)

    def _error(self, raised: dict[str, Any]) -> PlayerError:
        names = [str(name) for name in raised["bases"]]
        kind = _error_class(str(raised["type"])[:_NAME_CAP], names)
        args = [self.decode(arg) for arg in raised["args"]]
        error = kind(*args) if "KeyError" in names else kind(str(raised["message"]))
        error.type_name = str(raised["type"])[:_NAME_CAP]
        error.refused = str(raised.get("refused", ""))[:_NAME_CAP]
        if self._handed_in(str(raised["path"])):
            error.path, error.line = str(raised["path"]), int(raised["line"]) or None
        error.original = self.decode(raised["handle"])
        return error

    def _handed_in(self, path: str) -> bool:
        """Whether a path is that of a file of the submission; any other could be named as well."""
        return bool(path) and os.path.normpath(path) == path and (self._folder / path.lstrip("/")).is_file()

    def _spoiled(self, words: str, *, late: bool = False, why: str = "") -> SpoiledError:
        report = self._end(late=late)
        if report.ending is Ending.TIMEOUT and not late:
            why = f"took more than {self._limits.seconds * TIMES:.1f} s in all"
        elif report.ending not in (Ending.KILLED, Ending.EXIT):
            why = ""
        error = SpoiledError(report, why)
        self._note(TrialStep(call=words, result=clean_line(str(error))), report)
        return error

    def close(self) -> RunReport:
        """End the process."""
        return self._report or self._end()

    def _end(self, *, late: bool = False) -> RunReport:
        # Noted before it is done: it must not be done again if it is interrupted.
        self._report = RunReport(Ending.HOST_LOST, limits=self._limits)
        self._report = self._host.close(self._line, self._limits, late=late)
        return self._report


def _shown(value: Any) -> str:
    return f"a {object.__getattribute__(value, '_kind')}" if isinstance(value, Proxy) else repr(value)[:80]


def _builtin_name(error: Exception) -> str:
    return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")


def _error_class(name: str, bases: list[str]) -> type[PlayerError]:
    import builtins

    for base in bases:
        kind = getattr(builtins, "UnicodeError" if base in _UNICODE else base, None)
        if base in _NO_MAPPING or not isinstance(kind, type) or not issubclass(kind, BaseException):
            continue
        if not issubclass(kind, BaseExceptionGroup):  # those need more than a message
            return type(name, (PlayerError, kind), {})
    return type(name, (PlayerError,), {})


def number_of(proxy: "Proxy") -> int:
    """The number of the object a proxy stands for."""
    return object.__getattribute__(proxy, "_number")


class Proxy:
    """An object of the player's. Whatever is done to it is done over there.

    If it is an instance of a subclass of a built-in type, the built-in value inside it came along: comparing, measuring
    and indexing use that value, so no method of the player's is asked whether it equals what was expected.
    """

    __slots__ = ("_base", "_has_base", "_kind", "_number", "_session")

    def __init__(self, session: Session, number: int, kind: str, base: Any, has_base: bool) -> None:
        for name, value in (
            ("_session", session),
            ("_number", number),
            ("_kind", kind),
            ("_base", base),
            ("_has_base", has_base),
        ):
            object.__setattr__(self, name, value)

    def _do(self, operation: str, args: list[Any], words: str) -> Any:
        session: Session = object.__getattribute__(self, "_session")
        return session.perform(operation, [self, *args], words)

    def _do_to(self, target: "Proxy", operation: str) -> Any:
        session: Session = object.__getattribute__(self, "_session")
        return session.perform(operation, [target], operation)

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__") or name in Proxy.__slots__ or name in ("_do", "_do_to"):
            return object.__getattribute__(self, name)
        return self._do("get", [name], f".{name}")

    def __setattr__(self, name: str, value: Any) -> None:
        self._do("set", [name, value], f".{name} = …")

    def __delattr__(self, name: str) -> None:
        self._do("del", [name], f"del .{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it over there."""
        return self._do("call", [list(args), kwargs], f"{self._kind}(…)")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Proxy):
            same = number_of(self) == number_of(other)
            return same or (self._has_base and other._has_base and self._base == other._base)
        return bool(self._has_base and self._base == other)

    def __hash__(self) -> int:
        return hash(self._base) if self._has_base else hash(number_of(self))

    def __len__(self) -> int:
        return len(self._base) if self._has_base else int(self._do("len", [], "len"))

    def __bool__(self) -> bool:
        return bool(self._base) if self._has_base else bool(self._do("bool", [], "bool"))

    def __str__(self) -> str:
        return str(self._base) if self._has_base else str(self._do("str", [], "str"))

    def __repr__(self) -> str:
        return f"<the player's {self._kind}>"

    def __getitem__(self, key: Any) -> Any:
        return cast("Any", self._base)[key] if self._has_base else self._do("item", [key], "[…]")

    def __setitem__(self, key: Any, value: Any) -> None:
        self._do("set_item", [key, value], "[…] = …")

    def __delitem__(self, key: Any) -> None:
        self._do("del_item", [key], "del […]")

    def __contains__(self, item: Any) -> bool:
        return item in self._base if self._has_base else bool(self._do("in", [item], "in"))

    def __iter__(self) -> Iterator[Any]:
        if self._has_base:
            yield from cast("Any", self._base)
            return
        iterator: Proxy = self._do("iter", [], "iter")
        while more := cast("list[Any]", self._do_to(iterator, "next")):
            yield more[0]

    def __enter__(self) -> Any:
        return self._do("enter", [], "with")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        raised = None if not isinstance(error, Exception) else [_builtin_name(error), str(error)]
        return bool(self._do("leave", [raised], "end of with"))

    def __lt__(self, other: Any) -> bool:
        return self._base < other if self._has_base else bool(self._do("less", [other], "<"))

    def __float__(self) -> float:
        return float(self._base)

    def __int__(self) -> int:
        return int(self._base)
