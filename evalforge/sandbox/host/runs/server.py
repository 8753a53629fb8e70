"""The host's loop: it forks one child for each request. It never imports the player's code itself."""

from __future__ import annotations

import base64
import gc
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from typing import NamedTuple

from cage import layers
from protocol import run_messages, wire
from protocol.player_test_messages import PlayerTestPlan
from protocol.run_messages import ExecutionRequest, RunRequest, StopRequest

from . import child, preload
from .child import HostContext
from .execution import ExecutionRecord
from .run import CagedRun
from .run_clock import RunClock

_DATA_FOLDERS = ("/usr/share/zoneinfo", "/etc/localtime", "/usr/lib", "/lib", "/lib64")
_MODES_WITH_SOCKET = ("session", "tests")


class TestService(NamedTuple):
    """What a host does that runs the player's tests.

    Attributes:
        prepare: What the host does before it forks, given the plan.
        serve: What a child does.
    """

    prepare: Callable[[PlayerTestPlan], None]
    serve: child.ServeTests


def serve_requests(
    control: socket.socket, root: str, clock: RunClock, says_hello: bool, tests: TestService | None = None
) -> None:
    """Fork a child for each request, until the client is gone.

    Args:
        control: The client's socket.
        root: A directory of ours.
        clock: What runs keep time by.
        says_hello: Whether to tell the client what holds here besides that all is ready.
        tests: How the player's tests are run, if they are.
    """
    host = HostContext(root, _wake_on_child_end(), control, clock, serve_tests=tests.serve if tests else None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    child.prepare_host()
    preload.release_fork_hooks()
    gc.collect()
    gc.freeze()
    wire.send_frame(control, _hello() if says_hello else {"id": "", "ended": "ready"})
    layers.narrow_host()
    record: ExecutionRecord | None = None  # one for all runs of a submission
    while True:
        try:
            request, session = _receive_request(control)
        except wire.WireError:
            return
        try:
            if isinstance(request, ExecutionRequest):
                wire.send_frame(control, _execution_reply(request, record), wire.MAX_ANSWER_BYTES)
                continue
            if tests is not None and request.plan is not None:
                tests.prepare(request.plan)
            if request.watched and (record is None or record.root != request.source):
                record = ExecutionRecord(request.source, request.watched)
            if record is not None and request.watched:
                record.begin_run()
            context = host._replace(record=record if request.watched else None)
            wire.send_frame(control, CagedRun(request, context, session).perform())
        except wire.WireError:
            return
        except Exception:  # noqa: BLE001 - the player's code runs in another process: this is ours
            wire.send_frame(control, _failure_reply(request.id))


def _execution_reply(request: ExecutionRequest, record: ExecutionRecord | None) -> dict[str, object]:
    """What the runs of a submission have executed; nothing if there were none."""
    reply: dict[str, object] = {"id": request.id, "ended": "executed"}
    if record is None or record.root != request.source:
        return {**reply, "lines": {}, "entered": {}, "touched": {}, "hidden": []}
    hidden = [place._asdict() for place in record.hidden()]
    lines = {"lines": record.lines(), "entered": record.entered(), "touched": record.touched()}
    return {**reply, **lines, "hidden": hidden}


def _failure_reply(request_id: str) -> dict[str, object]:
    """A fault of ours, in the form of a run's end."""
    trace = base64.b64encode(traceback.format_exc().encode("utf-8", "replace")).decode("ascii")
    return {"id": request_id, "ended": "broken", "stderr": trace, "seconds": 0.0}


def _wake_on_child_end() -> int:
    """A descriptor that becomes readable when a child ends."""
    wake, wake_end = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(wake_end, False)
    signal.signal(signal.SIGCHLD, _ignore_signal)
    signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
    return wake


def _ignore_signal(_number: int, _frame: object) -> None:
    """A handler that does nothing: only with one does a signal write to the wake-up descriptor."""


def _hello() -> dict[str, object]:
    probe = layers.probe_layers()._asdict()
    return {"ready": True, "version": list(sys.version_info[:3]), "probe": probe, "readable": _library_folders()}


def _receive_request(control: socket.socket) -> tuple[RunRequest | ExecutionRequest, int | None]:
    """The next request, and the descriptor that comes with it if it is for a session.

    Raises:
        WireError: The client is gone.
    """
    while True:
        select.select([control], [], [])
        message = run_messages.parse_client_message(wire.receive_frame(control))
        if isinstance(message, StopRequest):  # it crossed the end of its run
            continue
        needs_socket = isinstance(message, RunRequest) and message.mode in _MODES_WITH_SOCKET
        return message, _receive_descriptor(control) if needs_socket else None


def _library_folders() -> list[str]:
    """Where this interpreter's own modules and data lie: all that a run may read besides the submission."""
    import sysconfig  # here, because some versions of it load modules whose fork hooks are held back

    names = ("stdlib", "platstdlib") if sys.flags.no_site else ("stdlib", "platstdlib", "purelib", "platlib")
    folders = [sysconfig.get_path(name) for name in names]
    folders += [*_DATA_FOLDERS, sys.base_prefix + "/lib"]
    folders += [part for part in sys.path if part and os.path.isabs(part)]
    host_folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return sorted({os.path.realpath(folder) for folder in folders if folder and os.path.exists(folder)} - {host_folder})


def _receive_descriptor(control: socket.socket) -> int:
    _, descriptors, _, _ = socket.recv_fds(control, 1, 1)
    if not descriptors:
        raise wire.WireError("the request has no descriptor")
    return descriptors[0]
