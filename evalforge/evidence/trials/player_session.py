"""The player's process during one trial, with the operations performed in it and their results."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from evalforge.evidence.trials.disguise import Disguise
from evalforge.evidence.trials.handles import Proxy, number_of, value_words
from evalforge.evidence.trials.player_errors import PlayerError, RunStoppedError, builtin_name, error_class
from evalforge.evidence.trials.transcript import Transcript
from evalforge.evidence.trials.trial_timeout import TRIAL_TIME_FACTOR
from evalforge.model.evidence import TrialStep
from evalforge.model.text import clean_line
from evalforge.sandbox.client import Host
from evalforge.sandbox.host.protocol import run_messages, values, wire
from evalforge.sandbox.report import Ending, RunLimits, RunReport
from evalforge.sandbox.staging import StagedSubmission

_STEP_OPERATIONS = ("import", "call", "drive", "wait", "set", "del", "item", "set_item", "del_item", "in", "len")
"""The operations that count as steps of a trial; the others only inspect their results."""
_MAX_RECEIVED_BYTES = 32 * 1024 * 1024
_MAX_NAME_CHARS = 300
_MAX_STEP_CHARS = 400


class PlayerSession:
    """A child process with the player's code, in which operations are performed."""

    def __init__(
        self,
        host: Host,
        staged: StagedSubmission,
        files: Mapping[str, bytes],
        limits: RunLimits,
        note: Callable[[TrialStep, RunReport | None], None],
        disguise: Disguise | None = None,
    ) -> None:
        self.transcript = Transcript()
        self._disguise = disguise
        self._host = host
        self._limits = limits
        self._note = note
        self._folder = staged.path
        self._connection = host.open_session(staged, files, limits, limits.seconds * TRIAL_TIME_FACTOR)
        self._clock = host.clock()
        self._received_bytes = 0
        self._callbacks: list[Callable[..., Any]] = []
        self._report: RunReport | None = None

    def perform(self, operation: str, args: list[Any]) -> Any:
        """Perform one operation in the player's process and return its value.

        Raises:
            PlayerError: The player's code raised an exception.
            SpoiledError: The process hung, died or wrote too much.
        """
        if self._report is not None:
            raise RunStoppedError(self._report)
        expression = self.transcript.expression(operation, args)
        deadline = self._clock.now() + self._limits.seconds
        request = {"op": operation, "args": [self.encode(arg) for arg in args]}
        try:
            wire.send_frame(self._connection, request)
            answer = self._receive_answer(deadline)
            error = self._player_error(answer["raised"]) if "raised" in answer else None
            value = None if error else self.decode(answer["ok"])
        except wire.WireTimeoutError:
            raise self._stopped_error(expression, is_late=True) from None
        except wire.WireClosedError:
            raise self._stopped_error(expression) from None
        except wire.WireFrameTooLongError:
            raise self._stopped_error(expression, why="sent an answer that is too large") from None
        except (wire.WireError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError):
            # The player's process may send anything, but it must not be able to break more than its own trial.
            raise self._stopped_error(expression, why="sent an invalid answer") from None
        if error:
            self.transcript.add_failed(expression)
            self._note_step(expression, f"{error.type_name}: {error}")
            error.is_inside_probe = operation == "drive"
            raise error
        self.transcript.add(operation, args, expression, value)
        if operation in _STEP_OPERATIONS:
            self._note_step(expression, value_words(value))
        return value

    def _note_step(self, text: str, result: str, report: RunReport | None = None) -> None:
        # Both may contain names that the player's code invented.
        self._note(TrialStep(call=clean_line(text, _MAX_STEP_CHARS), result=clean_line(result)), report)

    def _receive_answer(self, deadline: float) -> dict[str, Any]:
        while True:
            most = min(wire.MAX_ANSWER_BYTES, _MAX_RECEIVED_BYTES - self._received_bytes)
            body = wire.receive_body(self._connection, deadline, most, self._clock.now)
            self._received_bytes += len(body)
            received = wire.parse_body(body)
            if not isinstance(received, dict):
                raise wire.WireError("not an answer")
            answer = cast("dict[str, Any]", received)
            if "callback" not in answer:
                return answer
            self._call_back(answer)

    def _call_back(self, request: dict[str, Any]) -> None:
        """Run a function of the trial's that the player's code calls."""
        function = self._callbacks[int(request["callback"])]
        args = [self.decode(arg) for arg in request["args"]]
        kwargs = {str(name): self.decode(arg) for name, arg in request["kwargs"].items()}
        try:
            answer = {"return": self.encode(function(*args, **kwargs))}
        except Exception as error:  # noqa: BLE001 - the trial's function may raise anything for the player's code
            message = self._disguise.show(str(error)) if self._disguise else str(error)
            answer = {"raise": builtin_name(error), "message": message}
        wire.send_frame(self._connection, answer)

    def encode(self, value: Any) -> Any:
        """Encode a value for the player's process."""
        visible = self._disguise.show_value(value) if self._disguise else value
        return values.encode(visible, self._stand_in)

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
        """Decode a value from the player's process; other objects become proxies."""
        decoded = values.decode(value, self._proxy)
        return self._disguise.reveal_value(decoded) if self._disguise else decoded

    def _proxy(self, value: dict[str, Any]) -> Any:
        if value.get("!") != "handle":
            raise wire.WireError("a value of unknown type")
        has_base = "base" in value
        base = self.decode(value["base"]) if has_base else None
        if type(base) is float:
            return base  # Whatever the name of its class, it is a number to calculate with.
        return Proxy(self, int(value["v"]), str(value.get("type", "object")), base, has_base)

    def _player_error(self, error_fields: dict[str, Any]) -> PlayerError:
        names = [str(name) for name in error_fields["bases"]]
        kind = error_class(str(error_fields["type"])[:_MAX_NAME_CHARS], names)
        args = [self.decode(arg) for arg in error_fields["args"]]
        message = str(error_fields["message"])
        if self._disguise:
            message = self._disguise.reveal(message)
        error = kind(*args) if "KeyError" in names else kind(message)
        error.type_name = str(error_fields["type"])[:_MAX_NAME_CHARS]
        error.refused = str(error_fields.get("refused", ""))[:_MAX_NAME_CHARS]
        if run_messages.is_submitted_file(str(self._folder), str(error_fields["path"])):
            error.path, error.line = str(error_fields["path"]), int(error_fields["line"]) or None
        error.original = self.decode(error_fields["handle"])
        return error

    def _stopped_error(self, message: str, *, is_late: bool = False, why: str = "") -> RunStoppedError:
        report = self._end_process(is_late=is_late)
        if report.ending is Ending.TIMEOUT and not is_late:
            why = f"took more than {self._limits.seconds * TRIAL_TIME_FACTOR:.1f} s in all"
        elif report.ending not in (Ending.KILLED, Ending.EXIT):
            why = ""
        error = RunStoppedError(report, why)
        self.transcript.add_failed(message)
        self._note_step(message, str(error), report)
        return error

    def close(self) -> RunReport:
        """End the player's process."""
        return self._report or self._end_process()

    def _end_process(self, *, is_late: bool = False) -> RunReport:
        # Set before the process is ended, so that an interruption can't end it twice.
        self._report = RunReport(Ending.HOST_LOST, limits=self._limits)
        self._report = self._host.close_session(self._connection, self._limits, is_late=is_late)
        return self._report
