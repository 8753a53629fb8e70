"""The examination of the player's own tests, seen from the process in the cage that runs none of their code.

It forks examiners (see ``examiner``), which do. The client sends which files are tests, and gets how each test went
twice: in order, noting the lines it reached, and in reverse. Then it sends jobs (changes to a file, and the tests to
run on it) and gets a verdict for each.

A job does not say whether its change alters behaviour. Examiners see one job at a time; its number means nothing.

To open a pytest session takes longer than most tests. So the host opens one, stops it where it would collect, and
serves from there: each examination is forked with a session at hand.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
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


class Held:
    """A pytest plugin that holds a session where it would collect.

    Args:
        place: The session's root directory, empty.
        serve: Called there.
    """

    session = None
    watcher = testcases.Watcher()

    def __init__(self, place, serve):
        self._place = place
        self._serve = serve

    def pytest_collection(self, session):
        """Keep the session for all forks, and serve."""
        os.rmdir(self._place)  # only pytest's arguments had to name a directory that is there
        session.config.option.tbstyle = "native"  # the quickest, and the one whose lines name their files
        Held.session = session
        self._serve()
        return True

    def pytest_runtestloop(self):
        """There is nothing to run."""
        return True


def within_session(place, serve):
    """Call ``serve`` in the middle of a pytest session; where no pytest runs, call it all the same.

    Args:
        place: The directory that every examination will have as its own: a session has one root for life.
        serve: What to do there.
    """
    if "pytest" in sys.modules:
        os.makedirs(place)
        kit.hold_session(place, "--confcutdir", place, plugins=[Held.watcher, Held(place, serve)])
    if Held.session is None:
        serve()


def serve(descriptor, request, place):
    """Examine the submission for a client.

    Args:
        descriptor: The client's socket.
        request: The client's message: ``source`` and ``examination`` (``tests``, ``code``, ``path``, ``seconds``).
        place: The run's writable directory.
    """
    line = wire.line_from(descriptor)
    if Held.session is None:
        wire.send_frame(line, {"impossible": "no pytest runs in this Python"})
        return
    os.environ["PYTEST_VERSION"] = sys.modules["pytest"].__version__  # as tests find it
    Examination(line, request, place).hold()


class Examination:
    """One examination.

    Args:
        line: The client's socket.
        request: The client's message.
        place: The run's writable directory.
    """

    def __init__(self, line, request, place):
        self._line = line
        self._plan = request["examination"]
        self._deadline = time.monotonic() + self._plan["seconds"]
        copied = [copies.Copy(request["source"], place, name) for name in ("first", "second")[:_SLOTS]]
        self._slots = [slots.Slot(copy, self._make_worker) for copy in copied]

    def hold(self):
        """Hear of the jobs and have them done; ends early if the client is gone."""
        with contextlib.suppress(wire.WireError):
            try:
                wire.send_frame(self._line, self._baseline())
                self._judge_all(wire.receive_frame(self._line, self._deadline)["jobs"])
                wire.send_frame(self._line, {"done": True})
            finally:
                for slot in self._slots:
                    slot.end()

    def _make_worker(self, copy, collected, watched):
        def begin(line):
            examiner.enter(copy.root, copy.scratch, self._plan["path"])
            sources = faults.Sources()
            sources.install()
            starter = programs.Programs(copy.root, sources)
            starter.install()
            places = copy.root, copy.scratch
            one = examiner.Examiner(Held.session, Held.watcher, starter, sources, *places, self._plan)
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
