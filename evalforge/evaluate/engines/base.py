"""The context of an engine, and what it does about failures."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from evalforge.evaluate.job_queue import JobQueue
from evalforge.evaluate.plan import Plan
from evalforge.evaluate.run_budget import RunBudget
from evalforge.llm.failure import CallFailure
from evalforge.llm.sdk_client import Client

# HTTP statuses, grouped by how to react to them.
_NO_ROOM_STATUSES = frozenset({429, 503, 529})
_HOPELESS_STATUSES = frozenset({401, 402, 403, 404, 501})
_PAYLOAD_TOO_LARGE = 413
_REFUSED_STATUSES = frozenset({400, 422})
_REQUEST_TIMEOUT, _FIRST_SERVER_ERROR = 408, 500


@dataclass(frozen=True)
class RunContext:
    """An engine's context: jobs, money, the connection, and where to show progress."""

    queue: JobQueue
    budget: RunBudget
    client: Client
    show_message: Callable[[str], None]

    @property
    def plan(self) -> Plan:
        """The plan of the run."""
        return self.queue.state.plan


class FailureAction(Enum):
    """How to react to a failed call."""

    WAIT_FOR_ROOM = "wait for room"
    STOP = "stop"
    ASK_AGAIN = "ask again"
    ASK_FOR_LESS = "ask for less"
    LEAVE_OUT = "leave it out"


def is_outcome_unknown(failure: CallFailure) -> bool:
    """Whether the server may have carried out a request: the call broke off, or a gateway gave up on it."""
    if failure.status is None:
        return not failure.server_unreached
    return failure.status == _REQUEST_TIMEOUT or failure.status >= _FIRST_SERVER_ERROR


def action_for(failure: CallFailure) -> FailureAction:
    """Decide how to react to a failed call."""
    if failure.status in _NO_ROOM_STATUSES:
        return FailureAction.WAIT_FOR_ROOM
    if failure.status in _HOPELESS_STATUSES or (failure.server_unreached and not failure.is_retryable):
        return FailureAction.STOP
    if failure.caused_by_model or failure.status == _PAYLOAD_TOO_LARGE:
        return FailureAction.ASK_FOR_LESS
    if failure.status in _REFUSED_STATUSES:
        # A server that refuses the format of a request refuses it for half a batch, too.
        return FailureAction.LEAVE_OUT if failure.format_refused else FailureAction.ASK_FOR_LESS
    return FailureAction.ASK_AGAIN


def may_retry(failure: CallFailure) -> bool:
    """Whether the same call may succeed later."""
    return action_for(failure) in (FailureAction.WAIT_FOR_ROOM, FailureAction.ASK_AGAIN)
