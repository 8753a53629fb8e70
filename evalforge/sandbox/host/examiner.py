"""The process that is the player's: it collects their tests, runs them, and runs them again with faults in the code."""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import gc
import json
import os
import pathlib
import re
import sys
import tempfile
import time

import faults
import forks
import programs
import reach
import testcases
import wire

_TEST_SECONDS = 2.0
_LOAD_SECONDS = 4.0
_FRAME_LINE = re.compile(r'File "([^"]+)", line (\d+)')
_CRASHES_MOST = 12
TRACE = "trace"
"""The file in an examiner's scratch directory that says where it hung."""


class Examiner:
    """One process's view of the submission.

    Args:
        session: The pytest session, nothing collected yet.
        watcher: The plugin in it.
        starter: The replacement for starting programs.
        sources: Where code comes from.
        root: The writable copy of the submission, with a separator at its end.
        scratch: A directory for temporary files.
        plan: ``tests`` and ``code``: paths of test files and of the others.
    """

    def __init__(self, session, watcher, starter, sources, root, scratch, plan):
        self.session = session
        self.watcher = watcher
        self.starter = starter
        self.sources = sources
        self.root = root
        self.plan = plan
        self.trace = os.path.join(scratch, TRACE)
        factory = getattr(session.config, "_tmp_path_factory", None)
        if factory is not None:  # a folder of its own needs neither numbering nor locks
            factory._given_basetemp = pathlib.Path(scratch, "pytest")
        self.items = {}
        self.functions = {}
        self.reach = None

    def serve(self, line, collected, watched):
        """Answer requests until the line is closed.

        Args:
            line: The supervisor's socket.
            collected: Whether to collect all tests now; if not, each job does so for itself.
            watched: Whether to note which lines run.
        """
        if watched:
            self.reach = reach.Reach(self.root, self.plan["code"])
        if collected:
            wire.send_frame(line, self._load(self.plan["tests"]))
            self.functions = faults.live_functions(self.root)
        look = self.sources.survey if collected else self.sources.code
        for path in self.plan["code"] if collected else (*self.plan["code"], *self.plan["tests"]):
            with contextlib.suppress(*faults.UNREADABLE):
                look(self.root + path)
        gc.collect()
        gc.freeze()
        while True:
            try:
                request = wire.receive_frame(line)
                answer = self._try_all(request) if request["op"] == "try" else self._judge(request, collected)
                wire.send_frame(line, answer)
            except wire.WireError:
                return

    def _load(self, paths):
        """Collect test files; gives what there is to know about it."""
        started = time.perf_counter()
        if self.reach:
            self.reach.begin()
        with open(self.trace, "w") as trace:
            faulthandler.dump_traceback_later(_LOAD_SECONDS, exit=True, file=trace)
            items, broken = self._collect(paths)
            faulthandler.cancel_dump_traceback_later()
        if self.reach:
            self.reach.end()
        self.items = {self._name(item): item for item in items}
        return {
            "seconds": time.perf_counter() - started,
            "imported": self.reach.take() if self.reach else {},
            "broken": broken + [self._broken(place, text) for place, text in self.watcher.broken],
        }

    def _collect(self, paths):
        """All tests, and files that even broke off the collecting: then each file is collected by itself."""
        try:
            return self.session.perform_collect([self.root + path for path in paths]), []
        except BaseException as error:
            if len(paths) == 1:
                return [], [{"file": paths[0], **testcases.describe(error, self.root)}]
        items, broken = [], []
        del self.watcher.broken[:]
        programs.forget_modules(self.root, self.starter.newest_module)  # one that broke off is half there
        for path in paths:
            more, worse = self._collect([path])
            items.extend(more)
            broken.extend(worse)
        return items, broken

    def _name(self, item):
        return os.path.relpath(str(item.path), self.root) + "::" + item.nodeid.partition("::")[2]

    def _broken(self, place, text):
        """Why a file can't be collected: the last line of the traceback, the innermost line of the player's files."""
        lines = [line for line in text.splitlines() if line.strip()]
        found = [(path, int(line)) for path, line in _FRAME_LINE.findall(text) if path.startswith(self.root)]
        path, line = found[-1] if found else ("", 0)
        # The test file itself, relative to its copy's folder; the copy's own name is the first part of pytest's.
        return {
            "file": place.partition("::")[0].partition("/")[2],
            "message": (lines[-1] if lines else "it can't be loaded").strip()[:300],
            "path": path[len(self.root) :],
            "line": line,
        }

    def _try_all(self, request):
        """Run every test on the code as it is; each in the same process as those before it, unless one ends it."""
        order = list(self.items)[:: -1 if request["reverse"] else 1]
        deadline = time.monotonic() + request["seconds"]
        if request["reverse"]:  # the run in order has seen which lines run
            self.reach = None
        results = []
        crashes = 0
        while order and time.monotonic() < deadline and crashes < _CRASHES_MOST:
            run = functools.partial(self._run_in_order, order)
            ended = forks.in_child(run, deadline - time.monotonic())
            for line in ended.told.splitlines():
                try:
                    results.append(json.loads(line))
                except ValueError:
                    break
            done = {result["name"] for result in results}
            order = [name for name in order if name not in done]
            if ended.finished or not order:
                break
            results.append(self._lost(order.pop(0), ended))
            crashes += 1
        return {"tests": results, "left": order}

    def _lost(self, name, ended):
        """A test that took its process along: where it hung, or how the process ended."""
        path, line = stuck_at(self.trace, self.root)
        message = "took longer than %.0f s" % _TEST_SECONDS if path or ended.late else ended.words
        return {"name": name, "outcome": "failed", "seconds": 0.0, "message": message, "path": path, "line": line}

    def _run_in_order(self, names, fd):
        items = [self.items[name] for name in names]
        with open(self.trace, "w") as trace:
            for index, item in enumerate(items):
                result = self._try_one(names[index], item, items[index + 1 :], trace)
                _write(fd, json.dumps(result).encode() + b"\n")

    def _try_one(self, name, item, following, trace):
        faulthandler.dump_traceback_later(_TEST_SECONDS, exit=True, file=trace)
        started = time.perf_counter()
        if self.reach:
            self.reach.begin()
        try:
            outcome, error = testcases.run(item, following, self.watcher)
        except BaseException as escaped:
            outcome, error = "failed", escaped
        if self.reach:
            self.reach.end()
        result = {"name": name, "outcome": outcome, "seconds": time.perf_counter() - started}
        faulthandler.cancel_dump_traceback_later()
        if self.reach:
            result["reach"] = self.reach.take()
        if error is not None:
            result.update(testcases.describe(error, self.root))
        return result

    def _judge(self, job, collected):
        """Run tests on changed code in a child: ``killed``, ``survived``, ``timeout``, ``reload`` or ``broken``."""
        ended = forks.in_child(lambda fd: _write(fd, self._attempt(job, collected)), job["seconds"], job["cpu"])
        answer = {"number": job["number"], "outcome": "timeout" if ended.late else "killed"}
        if ended.finished:
            outcome = ended.told.decode("ascii", "replace")
            answer["outcome"] = outcome if outcome in ("killed", "survived", "reload", "broken") else "killed"
        return answer

    def _attempt(self, job, collected):
        path = self.root + job["path"]
        self.starter.seconds = job["cpu"]
        try:
            self.sources.change(path, job["edits"])
            if collected:
                faults.patch(self.functions.get(path, ()), *self.sources.versions(path, job["edits"]))
            else:
                self.sources.settle()
        except faults.UNREADABLE:
            return b"broken"
        except faults.CantPatchError:
            return b"reload"
        if not collected:
            files = sorted({name.partition("::")[0] for name in job["tests"]})
            if self._load(files)["broken"]:
                return b"killed"
        items = [self.items.get(name) for name in job["tests"]]
        for index, item in enumerate(items):
            if item is None or testcases.run(item, items[index + 1 :], self.watcher)[0] == "failed":
                return b"killed"
        return b"survived"


def stuck_at(trace, root):
    """The innermost of the player's lines in a dumped traceback, as (path, line)."""
    try:
        with open(trace) as file:
            text = file.read(64 * 1024)
    except OSError:
        return "", 0
    for path, line in _FRAME_LINE.findall(text):
        if path.startswith(root):
            return path[len(root) :], int(line)
    return "", 0


def _write(fd, data):
    while data:
        data = data[os.write(fd, data) :]


def enter(root, scratch, parts):
    """Make this process stand where a player's test run would: in the submission's folder, with its import paths.

    Args:
        root: The folder.
        scratch: Where temporary files go.
        parts: Folders within it to import from.
    """
    os.chdir(root)
    os.environ["TMPDIR"] = scratch
    tempfile.tempdir = None
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    sys.argv = ["pytest"]
    sys.path[:0] = [os.path.join(root, part).rstrip(os.sep) for part in parts]
