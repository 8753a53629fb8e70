"""What runs at a worker of a cluster: its engines are kept for the next hand-in, or gone with all they started."""

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from evalforge.batch.classroom import there
from evalforge.batch.classroom.there import Errand, examine
from tests import factories
from tests.processes import below

TRIALS = b'''
import pytest

@pytest.mark.group("one")
def test_says(cli):
    """It says what it should."""
    assert cli().stdout == "hello\\n"
'''

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@pytest.fixture(autouse=True)
async def ended() -> AsyncIterator[None]:
    """Engines that were kept are ended: they would go with the process."""
    yield
    for bench in there._bench:
        while bench.free:
            await bench.free.pop().close()


def errand(code: str) -> Errand:
    submission = factories.submission(main=code).model_dump_json()
    return Errand("straw", {"test_it.py": TRIALS}, ("main.py",), submission, "")


async def test_an_engine_is_kept_for_the_next_hand_in() -> None:
    before = below(os.getpid())
    first = await examine(errand("print('hello')"))
    kept = below(os.getpid(), but=before)
    second = await examine(errand("print('hello')"))
    assert (first.fault, b'"passed"' in first.events, second.fault) == ("", True, "")
    assert kept
    assert kept <= below(os.getpid(), but=before)


async def test_who_is_not_waited_for_any_more_leaves_no_process() -> None:
    before = below(os.getpid())
    examining = asyncio.create_task(examine(errand("while True: pass")))
    async with asyncio.timeout(60):
        while len(below(os.getpid(), but=before)) < 4:
            await asyncio.sleep(0.05)
    examining.cancel()
    with pytest.raises(asyncio.CancelledError):
        await examining
    assert not below(os.getpid(), but=before)


async def test_an_errand_that_makes_no_sense_leaves_no_process() -> None:
    before = below(os.getpid())
    await examine(errand("print('hello')"))
    with pytest.raises(ValidationError):
        await examine(replace(errand(""), submission="nonsense"))
    assert not below(os.getpid(), but=before)
