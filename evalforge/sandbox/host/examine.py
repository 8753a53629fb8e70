"""The examination of the player's own tests, seen from the process in the cage that runs none of their code.

It forks examiners (see ``examiner``), which do. The client sends which files are tests, and gets how each test went
twice: in order, noting the lines it reached, and in reverse. Then it sends jobs (changes to a file, and the tests to
run on it) and gets a verdict for each.

A job does not say whether its change alters behaviour. Examiners see one job at a time; its number means nothing.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections import deque

import copies
import examiner
import faults
import kit
import programs
import slots
import testcases
import wire

# One processor is for the trials, which go on meanwhile.
_SLOTS = max(1, min(2, (os.cpu_count() or 1) - 1))
_BASELINE_SHARE = 0.6


def serve(descriptor, request, place):
    """Examine the submission for a client.

    Args:
        descriptor: The client's socket.
        request: The client's message: ``source`` and ``examination`` (``tests``, ``code``, ``path``, ``seconds``).
        place: The run's writable directory.
    """
    line = wire.line_from(descriptor)
    try:
        import pytest
    except ImportError:
        wire.send_frame(line, {"impossible": "no pytest runs in this Python"})
        return
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    watcher = testcases.Watcher()
    examination = Examination(line, request, place, watcher)
    pytest.main([*kit.ARGUMENTS, "--rootdir", place, "--confcutdir", place], plugins=[watcher, examination])


class Examination:
    """A pytest plugin that takes the place of collecting and running.

    Args:
        line: The client's socket.
        request: The client's message.
        place: The run's writable directory.
        watcher: The other plugin.
    """

    def __init__(self, line, request, place, watcher):
        self._line = line
        self._watcher = watcher
        self._session = None
        self._plan = request["examination"]
        self._deadline = time.monotonic() + self._plan["seconds"]
        copied = [copies.Copy(request["source"], place, name) for name in ("first", "second")[:_SLOTS]]
        self._slots = [slots.Slot(copy, self._make_worker) for copy in copied]

    def pytest_collection(self, session):
        """Hold the examination, in the middle of a session that has collected nothing yet."""
        os.environ.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD", None)
        self._session = session
        session.config.option.tbstyle = "native"  # the quickest, and the one whose lines name their files
        with contextlib.suppress(wire.WireError):
            try:
                wire.send_frame(self._line, self._baseline())
                self._judge_all(wire.receive_frame(self._line, self._deadline)["jobs"])
                wire.send_frame(self._line, {"done": True})
            finally:
                for slot in self._slots:
                    slot.end()
        return True

    def pytest_runtestloop(self):
        """Everything has been run."""
        return True

    def _make_worker(self, copy, collected, watched):
        def begin(line):
            examiner.enter(copy.root, copy.scratch, self._plan["path"])
            sources = faults.Sources()
            sources.install()
            starter = programs.Programs(copy.root, sources)
            starter.install()
            one = examiner.Examiner(self._session, self._watcher, starter, sources, copy.root, copy.scratch, self._plan)
            one.serve(line, collected, watched)

        return slots.Worker(begin, [self._line])

    def _baseline(self):
        """How loading and both runs of all tests went, in the examiners' words."""
        until = time.monotonic() + (self._deadline - time.monotonic()) * _BASELINE_SHARE
        first, second = self._slots[0], self._slots[-1]
        workers = [first.live(watched=True), second.live()]
        loaded = workers[0].answer(until)
        if loaded is None:
            path, line = examiner.stuck_at(os.path.join(first.copy.scratch, examiner.TRACE), first.copy.root)
            return {"stuck": {"path": path, "line": line}}
        if second is not first and workers[1].answer(until) is not None:
            for worker, reverse in zip(workers, (False, True)):
                self._ask_to_run(worker, reverse, until)
            runs = [worker.answer(until + 1.0) for worker in workers]
            second.copy.restore()
        else:
            runs = []
            for reverse in (False, True):
                self._ask_to_run(workers[0], reverse, until)
                runs.append(workers[0].answer(until + 1.0))
                first.copy.restore()
        first.copy.restore()
        if runs[0] is None:
            return {"stuck": {"path": "", "line": 0}}
        return {"loaded": loaded, "runs": [run or {} for run in runs]}

    def _ask_to_run(self, worker, reverse, until):
        worker.ask({"op": "try", "reverse": reverse, "seconds": max(0.1, until - time.monotonic())})

    def _judge_all(self, jobs):
        """Have every job done, in this order, as many at a time as there are places."""
        pending = deque(jobs)
        busy = []
        while (pending or busy) and time.monotonic() < self._deadline:
            for slot in self._slots:
                if slot.job is None and pending:
                    slot.give(pending.popleft())
            busy = [slot for slot in self._slots if slot.job is not None]
            wait = max(0.0, min(slot.until for slot in busy) - time.monotonic())
            ready = select.select([slot.worker.line for slot in busy], [], [], wait)[0]
            for slot in busy:
                if slot.worker.line in ready or time.monotonic() >= slot.until:
                    job = slot.job
                    outcome = slot.take()
                    if outcome == "reload" and job["live"]:
                        pending.appendleft({**job, "live": False})
                    else:
                        wire.send_frame(self._line, {"number": job["number"], "outcome": outcome})
            busy = [slot for slot in busy if slot.job is not None]
