"""Stand-ins: objects other than data that the player's code may need, such as a clock or a function that fails once.

The source of each function is shipped to the player's process, where it makes one object. So the functions are written
for Python 3.9, do their own imports, and contain no expected results.
"""

from collections.abc import Callable
from typing import Any


def clock(start: float = 0) -> Any:
    """A clock that only moves when ``now`` is set."""

    class Clock:
        def __init__(self) -> None:
            self.now = start

        def __call__(self) -> float:
            return self.now

    return Clock()


def sleeper(clock: Any) -> Any:
    """A sleep function that moves a clock, and records the seconds in ``calls``."""

    class Sleeper:
        def __init__(self) -> None:
            self.calls: list[Any] = []

        def __call__(self, seconds: float) -> None:
            self.calls.append(seconds)
            clock.now += seconds

    return Sleeper()


def answers(*results: Any) -> Any:
    """A function that returns these in turn, the last one forever, and raises those that are errors.

    ``calls`` holds the arguments of each call, as a tuple.
    """

    class Answers:
        def __init__(self) -> None:
            self.calls: list[Any] = []

        def __call__(self, *args: Any, **_: Any) -> Any:
            self.calls.append(args)
            result = results[min(len(self.calls), len(results)) - 1] if results else None
            if isinstance(result, BaseException):
                raise result
            return result

    return Answers()


def later(*results: Any) -> Any:
    """Like ``answers``, but an async function that lets other tasks run in between."""

    class Later:
        def __init__(self) -> None:
            self.calls: list[Any] = []

        async def __call__(self, *args: Any, **_: Any) -> Any:
            import asyncio

            self.calls.append(args)
            result = results[min(len(self.calls), len(results)) - 1] if results else None
            await asyncio.sleep(0)
            if isinstance(result, BaseException):
                raise result
            return result

    return Later()


def journal() -> Any:
    """A list for functions of ``noted`` to write to."""

    class Journal:
        def __init__(self) -> None:
            self.entries: list[Any] = []

    return Journal()


def noted(journal: Any, name: str, function: Any = None) -> Any:
    """A function that calls another, if given, and writes its name to the journal when it begins and ends."""

    class Noted:
        def __call__(self, *args: Any, **keywords: Any) -> Any:
            import inspect

            journal.entries.append(name + " begins")
            result = function(*args, **keywords) if function is not None else None
            if not inspect.isawaitable(result):
                journal.entries.append(name + " ends")
                return result

            async def run_to_end() -> Any:
                try:
                    return await result
                finally:
                    journal.entries.append(name + " ends")

            return run_to_end()

    return Noted()


def error(name: str, message: str = "") -> Any:
    """Make an exception of a built-in class."""
    import builtins

    return getattr(builtins, name)(message)


STAND_INS: dict[str, Callable[..., Any]] = {
    stand_in.__name__: stand_in for stand_in in (clock, sleeper, answers, later, journal, noted)
}
ERRORS = (
    "ConnectionError", "TimeoutError", "OSError", "ValueError", "TypeError", "KeyError", "RuntimeError", "LookupError",
    "ArithmeticError", "ZeroDivisionError", "PermissionError", "FileNotFoundError", "Exception",
)  # fmt: skip
"""The built-in errors that a step may make for a stand-in."""
