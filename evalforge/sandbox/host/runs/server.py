"""The host's loop, which forks one child for each request. The host never imports the player's code itself."""

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
    """The functions of a host that runs the player's tests.

    Attributes:
        prepare: Called in the host before it forks, with the plan.
        serve: Called in the child, with the folder of programs that may be started; empty if none may.
        programs: The folder of programs of ours that tests may start.
    """

    prepare: Callable[[PlayerTestPlan], None]
    serve: Callable[[str, socket.socket, PlayerTestPlan, str, str], None]
    programs: str


def serve_requests(
    control: socket.socket, root: str, clock: RunClock, says_hello: bool, tests: TestService | None = None
) -> None:
    """Fork a child for each request, until the client disconnects.

    Args:
        control: The client's socket.
        root: The host's directory.
        clock: The clock of the runs.
        says_hello: Whether the first message describes the sandbox; if not, it only says that all is ready.
        tests: The functions that run the player's tests, if this host does that.
    """
    host = HostContext(root, _wake_on_child_end(), control, clock, child.run_folders(root))
    if tests is not None:
        host = host._replace(serve_tests=tests.serve, programs=tests.programs)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    child.prepare_host(host.folders)
    preload.release_fork_hooks()
    gc.collect()
    gc.freeze()
    wire.send_frame(control, _hello() if says_hello else {"id": "", "ended": "ready"})
    layers.narrow_host()
    record: ExecutionRecord | None = None  # shared by all runs of a submission
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
        except Exception:  # noqa: BLE001 - the player's code runs in another process, so this fault is ours
            wire.send_frame(control, _failure_reply(request.id))


def _execution_reply(request: ExecutionRequest, record: ExecutionRecord | None) -> dict[str, object]:
    """The reply on what the runs of a submission have executed; empty if there were none."""
    reply: dict[str, object] = {"id": request.id, "ended": "executed"}
    if record is None or record.root != request.source:
        return {**reply, "lines": {}, "entered": {}, "touched": {}, "hidden": []}
    hidden = [place._asdict() for place in record.hidden()]
    lines = {"lines": record.lines(), "entered": record.entered(), "touched": record.touched()}
    return {**reply, **lines, "hidden": hidden}


def _failure_reply(request_id: str) -> dict[str, object]:
    """The reply for a fault of ours, in the form of a run's end."""
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
    """Do nothing: a signal only writes to the wake-up descriptor if it has a handler."""


def _hello() -> dict[str, object]:
    probe = layers.probe_layers()._asdict()
    return {"ready": True, "version": list(sys.version_info[:3]), "probe": probe, "readable": _library_folders()}


def _receive_request(control: socket.socket) -> tuple[RunRequest | ExecutionRequest, int | None]:
    """Receive the next request, with a descriptor if it is for a session.

    Raises:
        WireError: The client has disconnected.
    """
    while True:
        select.select([control], [], [])
        message = run_messages.parse_client_message(wire.receive_frame(control))
        if isinstance(message, StopRequest):  # it arrived after the end of its run
            continue
        needs_socket = isinstance(message, RunRequest) and message.mode in _MODES_WITH_SOCKET
        return message, _receive_descriptor(control) if needs_socket else None


def _library_folders() -> list[str]:
    """The folders of this interpreter's modules and data: all that a run may read besides the submission."""
    import sysconfig  # imported here, because some versions load modules whose fork hooks are held back

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
