"""Work on hostile data in a child: what it answers, what ends it, and whose fault it is."""

import os
import resource
from collections.abc import Callable

import pytest

from evalforge.evidence.forked_task import ForkedTask
from evalforge.model.errors import SandboxError


def bounds() -> list[list[int]]:
    return [list(resource.getrlimit(kind)) for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS)]


def test_the_answer_comes_back() -> None:
    assert ForkedTask(lambda: {"a": [1, None, "ä"]}).result() == {"a": [1, None, "ä"]}
    assert ForkedTask(bounds, seconds=3, memory_bytes=2**31).result() == [[3, 4], [2**31, 2**31]]


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(lambda: bytearray(3 * 1024**3), id="memory"),
        pytest.param(lambda: [None for _ in iter(int, 1)], id="time"),
        pytest.param(lambda: os._exit(0), id="leaving"),
        pytest.param(lambda: {object()}, id="nonsense"),
    ],
)
def test_what_brings_it_down_is_the_datas_fault(work: Callable[[], object]) -> None:
    assert ForkedTask(work, seconds=1).result() is None


def test_limits_that_are_lower_already_are_kept() -> None:
    def lowered() -> list[list[int]]:
        resource.setrlimit(resource.RLIMIT_CPU, (2, 2))
        resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
        return ForkedTask(bounds).result()

    assert ForkedTask(lowered).result() == [[2, 2], [2**30, 2**30]]


def test_one_that_can_not_begin_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.nice", lambda _: os._exit(1))
    with pytest.raises(SandboxError, match=r"could not begin\.$"):
        ForkedTask(lambda: 1).result()
