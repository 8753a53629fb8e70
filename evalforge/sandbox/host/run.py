"""One run, seen from the host: fork a child, watch it, end it and all it left behind, gather what came out."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import select
import signal
import tempfile
import time

import child
import gauge
import places
import scratch
import strays
import wire
from streams import Stream

_KEEP_OUTPUT = 256 * 1024
_KEEP_REPORT = 64 * 1024
_NOISE = 1024 * 1024
_TEXT_CAP = 1000
_LINE_MOST = 10_000_000
_TRACE_WAIT = 0.5
_TRACE_PAUSE = 0.03
# A run that is kept waiting for a processor gets half its time again, at most so often.
_PATIENCE = 6
_FAIR_SHARE = 0.8
_FRAME_LINE = re.compile(r'File "([^"]+)", line (\d{1,7})')


class Run:
    """One forked child and its directory.

    Args:
        request: The client's message (see ``client.py``).
        root: A directory of the host's own in which scratch directories are made.
        wake: A descriptor that becomes readable when a child ends.
        control: The client's socket: a message on it asks to stop.
        session: The descriptor of a session's socket, or None.
    """

    def __init__(self, request, root, wake, control, session=None):
        self.request = request
        self.limits = request["limits"]
        self.root = root
        self.wake = wake
        self.control = control
        self.session = session
        self.place = _cleared(place_of_tests(root)) if request["mode"] == "tests" else _new_folder(root)
        self.work = os.path.join(self.place, "work")
        self.folders: list[int] = []
        self.ended = ""
        self.stuck = None
        self.status = 0

    def go(self):
        """Run to the end, whatever happens, and leave nothing behind.

        Returns:
            The reply for the client, JSON-able.
        """
        started = time.monotonic()
        try:
            self._lay_out()
            self._fork()
            try:
                self._watch(started + self.limits["seconds"])
            finally:
                self._end_all()
            if not self.streams["report"].kept.startswith(child.CAGED):
                self.ended = "uncaged"
            elif self._flooded():
                self.ended = "output"  # also if it was quick to end after it
            reply = self._reply(time.monotonic() - started)
        finally:
            for folder in self.folders:
                os.close(folder)
            scratch.remove(self.place)
        if self.ended == "disk" and self.gauge.wronged(self.root):
            reply["ended"] = "disturbed"
        return reply

    def _lay_out(self):
        for folder in (self.work, os.path.join(self.place, "tmp")):
            os.mkdir(folder, 0o700)
        # Opened now: the program may put something else where these names were.
        self.folders = [scratch.open_folder(folder) for folder in (self.place, self.work)]
        alone, sized = not self.request.get("allow_fork"), self.request["layer"] == "full"
        self.gauge = gauge.Gauge(self.folders[0], self.limits, alone, sized)
        for name, content in self.request["files"].items():
            path = os.path.join(self.work, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(base64.b64decode(content))
        self.stdin = os.path.join(self.place, "stdin")
        with open(self.stdin, "wb") as file:
            file.write(base64.b64decode(self.request["stdin"]))

    def _fork(self):
        pipes = {name: os.pipe() for name in ("out", "err", "report", "trace")}
        self.pid = os.fork()
        if not self.pid:
            writers = {name: ends[1] for name, ends in pipes.items()}
            child.main(self.request, self.place, self.stdin, writers, self.session)
        for ends in pipes.values():
            os.close(ends[1])
        if self.session is not None:
            os.close(self.session)
        keep = {"out": _KEEP_OUTPUT, "err": _KEEP_OUTPUT, "report": _KEEP_REPORT, "trace": _KEEP_REPORT}
        self.streams = {name: Stream(ends[0], keep[name]) for name, ends in pipes.items()}

    def _watch(self, deadline):
        patience = _PATIENCE
        while True:
            if self._has_ended():
                return
            left = deadline - time.monotonic()
            if left <= 0 and patience > 0 and self._is_starved():
                deadline += self.limits["seconds"] / 2
                patience -= 1
                continue
            if left <= 0:
                self._stop("timeout")
                return
            readable = [self.wake, self.control] + [s.descriptor for s in self.streams.values() if s.open]
            ready = select.select(readable, [], [], min(left, gauge.POLL))[0]
            self._take(ready)
            if self._flooded():
                self._stop("output")
                return
            excess = self.gauge.exceeded(self.pid)
            if excess:
                self._stop(excess)
                return
            if self.control in ready:
                self._obey()
                return

    def _take(self, ready):
        """Read what has come on these descriptors."""
        if self.wake in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self.wake, 4096)
        for stream in self.streams.values():
            if stream.descriptor in ready:
                stream.read()

    def _is_starved(self):
        """Whether the child wants to run but was not let: on a busy machine the wall clock alone would be unjust."""
        state, program, kernel = strays.condition(self.pid)
        return state in ("R", "D") and program + kernel < self.limits["seconds"] * _FAIR_SHARE

    def _flooded(self):
        told = self.streams["out"].total + self.streams["err"].total
        # The other two are ours; more than what is kept of them comes from a program that writes where it shouldn't.
        return told > self.limits["output_bytes"] or any(
            self.streams[name].total > _NOISE for name in ("report", "trace")
        )

    def _obey(self):
        """A message while a run is under way asks to stop; so does a client that is gone."""
        try:
            message = wire.receive_frame(self.control, time.monotonic() + 1.0)
        except wire.WireError:
            self._stop("killed")
            return
        end = time.monotonic() + float(message.get("grace", 0))
        while time.monotonic() < end:
            if self._has_ended():
                return
            self._take(select.select([self.wake], [], [], max(0.0, end - time.monotonic()))[0])
        self._stop("timeout" if message.get("late") else "killed")

    def _has_ended(self):
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid:
            self.status = status
            self.ended = "exit" if os.WIFEXITED(status) else "signal"
            self.pid = 0
        return bool(pid)

    def _stop(self, reason):
        self.ended = reason
        if reason == "timeout":
            self._ask_where()

    def _ask_where(self):
        """Have the child's fault handler write where it is, before it is killed."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, signal.SIGUSR2)
        stream = self.streams["trace"]
        end = time.monotonic() + _TRACE_WAIT
        while stream.open and time.monotonic() < end:
            # The handler writes piece by piece: it is done when nothing more comes.
            patience = _TRACE_PAUSE if stream.kept else max(0.0, end - time.monotonic())
            if not select.select([stream.descriptor], [], [], patience)[0]:
                break
            stream.read()
        source = self.request["source"] + os.sep
        for path, line in _FRAME_LINE.findall(stream.kept.decode("utf-8", "replace")):
            if path.startswith(source) and places.handed_in(source, path[len(source) :]):
                self.stuck = {"path": path[len(source) :], "line": int(line)}
                return

    def _end_all(self):
        """Kill the child, its group, and whatever daemons it left: they all end up as children of ours."""
        if self.pid:
            for kill in (os.killpg, os.kill):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    kill(self.pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                self.status = os.waitpid(self.pid, 0)[1]
        strays.end_all()
        for stream in self.streams.values():
            stream.read()
            stream.close()

    def _reply(self, seconds):
        status = self.status
        report = _read_report(self.streams["report"].kept[len(child.CAGED) :])
        if report and not places.handed_in(self.request["source"], report["path"]):
            report.update(path="", line=None)
        return {
            "id": self.request.get("id"),
            "ended": self.ended,
            "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
            "stdout": base64.b64encode(bytes(self.streams["out"].kept)).decode("ascii"),
            "stderr": base64.b64encode(bytes(self.streams["err"].kept)).decode("ascii"),
            "written": self.streams["out"].total + self.streams["err"].total,
            "report": report,
            "stuck": self.stuck,
            "files": self._changed_files(),
            "seconds": seconds,
        }

    def _changed_files(self):
        """Files created or changed in the working directory."""
        given = {name: base64.b64decode(content) for name, content in self.request["files"].items()}
        found = scratch.collect(self.folders[1], given)
        return {path: base64.b64encode(content).decode("ascii") for path, content in found.items()}


def place_of_tests(root):
    """Where the player's tests run: always the same directory, because the session they run in was opened for it."""
    return os.path.join(root, "tests")


def _new_folder(root):
    return tempfile.mkdtemp(prefix="run-", dir=root)


def _cleared(place):
    """An empty directory, whatever the run before left there that could not be removed."""
    if os.path.lexists(place):
        os.rename(place, os.path.join(_new_folder(os.path.dirname(place)), "left"))
    os.mkdir(place, 0o700)
    return place


def _read_report(said):
    """How the program failed, as far as what was said makes sense: it may have been said by the program itself."""
    try:
        report = json.loads(said or b"{}")
        line = report.get("line")
        return {
            "type": str(report.get("type") or "")[:_TEXT_CAP],
            "line": line if type(line) is int and 0 < line < _LINE_MOST else None,
            **{name: str(report.get(name) or "")[:_TEXT_CAP] for name in ("message", "path", "refused")},
        }
    except (ValueError, AttributeError, RecursionError):
        return {}
