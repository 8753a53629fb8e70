"""The player's process during one trial: the operations performed in it, and what comes back."""

import time
from collections.abc import Callable, Mapping
from typing import Any, cast

from evalforge.evidence.trials.clock import TIMES
from evalforge.evidence.trials.handles import Proxy, number_of, shown
from evalforge.evidence.trials.raised import PlayerError, builtin_name, error_class
from evalforge.evidence.trials.spoiled import SpoiledError
from evalforge.model.evidence import TrialStep
from evalforge.model.text import clean_line
from evalforge.sandbox.client import Host
from evalforge.sandbox.host import places, values, wire
from evalforge.sandbox.report import Ending, RunLimits, RunReport
from evalforge.sandbox.stage import Staged

_MOST_TAKEN = 32 * 1024 * 1024
_NAME_CAP = 300


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
            self._tell(words, f"{error.type_name}: {error}")
            raise error
        if operation in ("call", "import", "drive", "wait"):
            self._tell(words, shown(value))
        return value

    def _tell(self, words: str, result: str, report: RunReport | None = None) -> None:
        # Both may hold names that the player's code made up.
        self._note(TrialStep(call=clean_line(words), result=clean_line(result)), report)

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
            answer = {"raise": builtin_name(error), "message": str(error)}
        wire.send_frame(self._line, answer)

    def encode(self, value: Any) -> Any:
        """A value as it crosses to the player's process."""
        return values.encode(value, self._stand_in)

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
        return values.decode(value, self._proxy)

    def _proxy(self, value: dict[str, Any]) -> Any:
        if value.get("!") != "handle":
            raise wire.WireError("a value of unknown type")
        has_base = "base" in value
        base = self.decode(value["base"]) if has_base else None
        return Proxy(self, int(value["v"]), str(value.get("type", "object")), base, has_base)

    def _error(self, raised: dict[str, Any]) -> PlayerError:
        names = [str(name) for name in raised["bases"]]
        kind = error_class(str(raised["type"])[:_NAME_CAP], names)
        args = [self.decode(arg) for arg in raised["args"]]
        error = kind(*args) if "KeyError" in names else kind(str(raised["message"]))
        error.type_name = str(raised["type"])[:_NAME_CAP]
        error.refused = str(raised.get("refused", ""))[:_NAME_CAP]
        if places.handed_in(str(self._folder), str(raised["path"])):
            error.path, error.line = str(raised["path"]), int(raised["line"]) or None
        error.original = self.decode(raised["handle"])
        return error

    def _spoiled(self, words: str, *, late: bool = False, why: str = "") -> SpoiledError:
        report = self._end(late=late)
        if report.ending is Ending.TIMEOUT and not late:
            why = f"took more than {self._limits.seconds * TIMES:.1f} s in all"
        elif report.ending not in (Ending.KILLED, Ending.EXIT):
            why = ""
        error = SpoiledError(report, why)
        self._tell(words, str(error), report)
        return error

    def close(self) -> RunReport:
        """End the process."""
        return self._report or self._end()

    def _end(self, *, late: bool = False) -> RunReport:
        # Noted before it is done: it must not be done again if it is interrupted.
        self._report = RunReport(Ending.HOST_LOST, limits=self._limits)
        self._report = self._host.close(self._line, self._limits, late=late)
        return self._report
