"""Time that a run waits for a processor is not counted against it, and its clock carries nothing to the next run."""

import importlib
import os
import signal
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalforge.evidence.suite.examination import PlayerTestExamination
from evalforge.model.submission import Submission
from evalforge.sandbox import host as host_package
from evalforge.sandbox.client import Host
from evalforge.sandbox.player_test_host import PlayerTestHost

POLL_SECONDS = 0.25
PROCESSORS = os.cpu_count() or 1

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the kernel keeps no such account")


class Kernel:
    """What the kernel says of the tasks of a run (how long each ran and waited), and what time it is."""

    def __init__(self) -> None:
        self.accounts: dict[str, tuple[float, float]] = {}
        self.seconds = 1000.0


@pytest.fixture
def clock_module(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The host finds its modules by short names."""
    monkeypatch.setattr(sys, "path", [str(Path(host_package.__file__).parent), *sys.path])
    before = set(sys.modules)
    yield importlib.import_module("runs.run_clock")
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.fixture
def kernel(clock_module: Any, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    kernel = Kernel()

    def accounts_of_tasks(_: list[int]) -> dict[str, Any]:
        return {task: clock_module.TaskAccount(*account) for task, account in kernel.accounts.items()}

    monkeypatch.setattr(clock_module, "read_task_accounts", accounts_of_tasks)
    monkeypatch.setattr(clock_module, "monotonic", lambda: kernel.seconds)
    return kernel


Accounts = dict[str, tuple[float, float]]


def passed_after(clock: Any, kernel: Kernel, *polls: Accounts) -> float:
    """How much time has passed by the clock when polls have come, a quarter second apart, with these accounts."""
    clock.begin_run()
    began = clock.now()
    for poll in polls:
        kernel.seconds += POLL_SECONDS
        kernel.accounts = poll
        clock.note_waiting()
    return round(clock.now() - began, 3)


@pytest.mark.parametrize(
    ("polls", "seconds"),
    [
        ([{"7": (0.25, 0.0)}], 0.25),
        ([{"7": (0.125, 0.125)}], 0.125),
        ([{"7": (0.125, 0.125)}, {"7": (0.25, 0.25)}], 0.25),
        ([{"7": (0.0, 0.0)}], 0.25),
        ([{"7": (0.0, 0.05)}], 0.2),
        ([{"8": (0.0, 0.0)}], 0.25),
        ([{str(task): (1.0 * PROCESSORS / 100 / 4, 1.0) for task in range(100)}], 0.25),
    ],
    ids=["on a free machine", "half waited", "all along", "asleep", "hardly awake", "gone", "keeps itself waiting"],
)
def test_the_clock_stands_still_while_a_run_waits(
    clock_module: Any, kernel: Kernel, tmp_path: Path, polls: list[Accounts], seconds: float
) -> None:
    assert passed_after(clock_module.RunClock(str(tmp_path)), kernel, *polls) == seconds


def test_tasks_that_are_gone_fared_as_the_others(clock_module: Any, kernel: Kernel, tmp_path: Path) -> None:
    clock = clock_module.RunClock(str(tmp_path))
    assert passed_after(clock, kernel, {"7": (0.02, 0.06)}) == 0.062


def test_waiting_is_not_made_good_without_end(clock_module: Any, kernel: Kernel, tmp_path: Path) -> None:
    clock = clock_module.RunClock(str(tmp_path))
    assert passed_after(clock, kernel, {"7": (0.0, 1000.0)}) == 0.005
    hour = passed_after(clock, kernel, *({"7": (0.0, 1000.0 + poll)} for poll in range(4 * 3600)))
    assert hour == 3600 - clock_module.MAX_LOST_SECONDS


def test_who_is_stopped_together_with_a_run_knows_nothing(clock_module: Any, kernel: Kernel) -> None:
    clock = clock_module.WaitingClock(lambda: [7])
    kernel.accounts = {"7": (0.0, 0.0)}
    began = clock.now()
    kernel.seconds += 60.0  # nobody has run for a minute
    assert clock.now() - began < 1.3


def test_waiting_processes_are_seen_from_outside(clock_module: Any) -> None:
    clock = clock_module.WaitingClock(lambda: [os.getpid()])
    began, started = clock.now(), time.monotonic()
    time.sleep(0.1)
    assert clock.now() - began <= time.monotonic() - started


def test_the_next_run_has_the_same_time(clock_module: Any, kernel: Kernel, tmp_path: Path) -> None:
    clock = clock_module.RunClock(str(tmp_path))
    passed_after(clock, kernel, *({"7": (0.0, float(poll))} for poll in range(100)))
    assert passed_after(clock, kernel, {"9": (0.125, 0.125)}) == 0.125


def test_a_run_can_only_read_it(clock_module: Any, tmp_path: Path) -> None:
    clock = clock_module.RunClock(str(tmp_path))
    with pytest.raises(TypeError):
        vars(clock)["_page"][0] = 1
    assert list(tmp_path.iterdir()) == []


def test_a_real_process_has_an_account(clock_module: Any, tmp_path: Path) -> None:
    assert clock_module.read_task_accounts([os.getpid()])[str(os.getpid())].ran > 0


def test_tests_whose_host_is_lost_are_run_once_more() -> None:
    host = Host()
    test_host = PlayerTestHost(host)
    texts = {"m.py": "def f(): return 1\n", "test_m.py": "from m import f\ndef test_f(): assert f() == 1\n"}
    submission = Submission.of({path: textwrap.dedent(text) for path, text in texts.items()})
    try:
        test_host.wait_until_warm()
        os.kill(test_host.pid, signal.SIGKILL)
        deadline = time.monotonic() + 20
        while test_host.alive and time.monotonic() < deadline:
            time.sleep(0.01)
        with PlayerTestExamination([test_host], submission) as examination:
            facts = examination.result().facts
    finally:
        test_host.shut_down()
        host.shut_down()
    passed = next(fact for fact in facts if fact.name == "tests.passed")
    assert passed.value == 1.0, passed.findings
