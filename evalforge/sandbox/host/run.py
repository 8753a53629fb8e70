"""One run, seen from the host: fork a child, watch it, end it and all it left behind, gather what came out."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import select
import shutil
import signal
import stat
import tempfile
import time

import child
import wire

_KEEP_OUTPUT = 256 * 1024
_KEEP_REPORT = 64 * 1024
_FILES_CAP = 64
_FILE_CAP = 1024 * 1024
_TRACE_WAIT = 0.5
_TRACE_PAUSE = 0.03
_DISK_POLL = 0.05
_FRAME_LINE = re.compile(r'File "([^"]+)", line (\d+)')


class Stream:
    """One pipe from the child: a bounded head is kept, the rest only counted."""

    def __init__(self, descriptor, keep):
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.keep = keep
        self.kept = bytearray()
        self.total = 0
        self.open = True

    def read(self):
        """Take what is there; closes at the end of the stream."""
        while self.open:
            try:
                data = os.read(self.descriptor, 1 << 16)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self.close()
                return
            self.total += len(data)
            if len(self.kept) < self.keep:
                self.kept += data[: self.keep - len(self.kept)]
            if self.total > self.keep * 64:
                return

    def close(self):
        """Stop reading."""
        if self.open:
            self.open = False
            os.close(self.descriptor)


class Run:
    """One forked child and its scratch directory.

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
        self.wake = wake
        self.control = control
        self.session = session
        self.place = tempfile.mkdtemp(prefix="run-", dir=root)
        self.work = os.path.join(self.place, "work")
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
            if self._flooded():
                self.ended = "output"  # also if it was quick to end after it
            return self._reply(time.monotonic() - started)
        finally:
            _remove(self.place)

    def _lay_out(self):
        for folder in (self.work, os.path.join(self.place, "tmp")):
            os.mkdir(folder, 0o700)
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
        poll_disk = self.limits.get("scratch_bytes")
        while True:
            if self._has_ended():
                return
            left = deadline - time.monotonic()
            if left <= 0:
                self._stop("timeout")
                return
            pause = min(left, _DISK_POLL) if poll_disk else left
            readable = [self.wake, self.control] + [s.descriptor for s in self.streams.values() if s.open]
            ready = select.select(readable, [], [], pause)[0]
            if self.wake in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(self.wake, 4096)
            for stream in self.streams.values():
                stream.read()
            if self._flooded():
                self._stop("output")
                return
            if poll_disk and not ready and _usage(self.place) > poll_disk:
                self._stop("disk")
                return
            if self.control in ready:
                self._obey()
                return

    def _flooded(self):
        return self.streams["out"].total + self.streams["err"].total > self.limits["output_bytes"]

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
            select.select([self.wake], [], [], max(0.0, end - time.monotonic()))
            with contextlib.suppress(BlockingIOError):
                os.read(self.wake, 4096)
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
            if path.startswith(source):
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
        end_strays()
        for stream in self.streams.values():
            stream.read()
            stream.close()

    def _reply(self, seconds):
        status = self.status
        report = {}
        with contextlib.suppress(ValueError):
            report = json.loads(self.streams["report"].kept or b"{}")
        return {
            "ended": self.ended,
            "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
            "stdout": base64.b64encode(bytes(self.streams["out"].kept)).decode("ascii"),
            "stderr": base64.b64encode(bytes(self.streams["err"].kept)).decode("ascii"),
            "written": self.streams["out"].total + self.streams["err"].total,
            "report": report if isinstance(report, dict) else {},
            "stuck": self.stuck,
            "files": self._changed_files(),
            "seconds": seconds,
        }

    def _changed_files(self):
        """Files created or changed in the working directory. Links and devices are never opened."""
        changed = {}
        for folder, _, names in os.walk(self.work):
            for name in sorted(names):
                path = os.path.join(folder, name)
                relative = os.path.relpath(path, self.work)
                if len(changed) >= _FILES_CAP:
                    return changed
                content = _read_regular(path)
                if content is None:
                    continue
                encoded = base64.b64encode(content).decode("ascii")
                if self.request["files"].get(relative) != encoded and relative.isprintable():
                    changed[relative] = encoded
        return changed


def _read_regular(path):
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return file.read(_FILE_CAP)


def end_strays():
    """Kill and reap every process that was left to us, until there is none."""
    for _ in range(1000):
        for pid in _children():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0 if _children() else os.WNOHANG)
        except ChildProcessError:
            return


def _children():
    try:
        with open("/proc/self/task/%d/children" % os.getpid()) as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []


def _usage(folder):
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(parent, name)).st_blocks * 512
    return total


def _remove(folder):
    def unlock(function, path, _):
        with contextlib.suppress(OSError):
            os.chmod(os.path.dirname(path), 0o700)
            os.chmod(path, 0o700, follow_symlinks=False) if os.chmod in os.supports_follow_symlinks else None
            shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else function(path)

    shutil.rmtree(folder, onerror=unlock)
