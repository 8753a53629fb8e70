"""Work on hostile data in a child: what it answers, what ends it, and whose fault it is."""

import os
import re
import resource
import signal
from collections.abc import Callable

import pytest

from evalforge.evidence.forked_task import ForkedTask, ParserDiedError, note_step, parsing
from evalforge.model.errors import OwnFailureError, SandboxError


def bounds() -> list[list[int]]:
    return [list(resource.getrlimit(kind)) for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS)]


def test_the_answer_comes_back() -> None:
    assert ForkedTask("adding", lambda: {"a": [1, None, "ä"]}).result() == {"a": [1, None, "ä"]}
    assert ForkedTask("adding", bounds, seconds=3, memory_bytes=2**31).result() == [[3, 4], [2**31, 2**31]]


def test_who_waits_hears_of_each_step() -> None:
    counts: list[int] = []

    def work() -> str:
        for _ in range(3):
            note_step()
        return "an answer with   spaces"

    assert ForkedTask("adding", work).result(counts.append) == "an answer with   spaces"
    assert counts[-1] == 3
    assert counts == sorted(set(counts))  # a busy machine tells of several at once
    note_step()  # outside of a task, nobody waits


def overruns() -> None:
    while True:
        pass


def segfaults() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


ENDINGS = [
    pytest.param(lambda: bytearray(3 * 1024**3), "MemoryError", id="memory"),
    pytest.param(overruns, "The process for adding took too long.", id="time"),
    pytest.param(segfaults, "The process for adding was ended by signal 11", id="signal"),
    pytest.param(lambda: os._exit(0), "ended without an answer (exit status 0).", id="leaving"),
    pytest.param(lambda: {object()}, "TypeError: Object of type set is not JSON serializable", id="nonsense"),
    pytest.param(lambda: 1 + "1", "TypeError: unsupported operand", id="exception"),  # type: ignore[operator]
]


@pytest.mark.parametrize(("work", "words"), ENDINGS)
def test_what_brings_it_down_is_our_fault(work: Callable[[], object], words: str) -> None:
    with pytest.raises(OwnFailureError, match=re.escape(words)):
        ForkedTask("adding", work, seconds=1).result()


@pytest.mark.parametrize("death", [overruns, segfaults])
def test_death_while_parsing_is_the_sources_fault(death: Callable[[], None]) -> None:
    def work() -> None:
        with parsing():
            death()

    with pytest.raises(ParserDiedError):
        ForkedTask("adding", work, seconds=1).result()


def test_what_fails_after_parsing_is_our_fault() -> None:
    def work() -> None:
        with parsing():
            pass
        segfaults()

    with pytest.raises(OwnFailureError):
        ForkedTask("adding", work).result()


def test_an_error_of_the_sandbox_keeps_its_words() -> None:
    def work() -> None:
        raise SandboxError("The disk is full.", "Free some space.")

    with pytest.raises(SandboxError, match=r"The disk is full\. Free some space\.") as caught:
        ForkedTask("adding", work).result()
    assert not isinstance(caught.value, OwnFailureError)


def test_limits_that_are_lower_already_are_kept() -> None:
    def lowered() -> list[list[int]]:
        resource.setrlimit(resource.RLIMIT_CPU, (2, 2))
        resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
        return ForkedTask("adding", bounds).result()

    assert ForkedTask("adding", lowered).result() == [[2, 2], [2**30, 2**30]]


def test_one_that_can_not_begin_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.nice", lambda _: os._exit(1))
    with pytest.raises(SandboxError, match=r"could not begin\.$"):
        ForkedTask("adding", lambda: 1).result()
