"""What runs at a worker of a cluster: its engines are kept for the next hand-in, or gone with all they started."""

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from evalforge.classroom import remote_worker
from evalforge.classroom.remote_worker import RemoteJob, run_job
from evalforge.packs.impostors import measuring_files
from evalforge.submissions.collect import collect
from tests import factories
from tests.processes import below, left_below

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
    idle_engines = remote_worker.worker_state().idle_engines
    while idle_engines:
        await idle_engines.pop().close()


def remote_job(code: str) -> RemoteJob:
    submission = factories.submission(main=code).model_dump_json()
    return RemoteJob("straw", {"trials/test_it.py": TRIALS}, ("main.py",), submission, "")


async def test_an_engine_is_kept_for_the_next_hand_in() -> None:
    before = below(os.getpid())
    first = await run_job(remote_job("print('hello')"))
    after_first = below(os.getpid(), but=before)
    second = await run_job(remote_job("print('hello')"))
    assert (first.ended.fatal, b'"passed"' in first.events, second.ended.fatal) == ("", True, "")
    # Children of a run may still be on their way out after the first; an engine that is not kept leaves nothing at all.
    assert after_first & below(os.getpid(), but=before)


async def test_who_is_not_waited_for_any_more_leaves_no_process() -> None:
    before = below(os.getpid())
    examining = asyncio.create_task(run_job(remote_job("while True: pass")))
    async with asyncio.timeout(60):
        while len(below(os.getpid(), but=before)) < 4:
            await asyncio.sleep(0.05)
    examining.cancel()
    with pytest.raises(asyncio.CancelledError):
        await examining
    assert not left_below(os.getpid(), but=before)


async def test_a_job_that_makes_no_sense_leaves_no_process() -> None:
    before = below(os.getpid())
    await run_job(remote_job("print('hello')"))
    result = await run_job(replace(remote_job(""), submission="nonsense"))
    assert "validation error" in result.ended.fatal
    assert not left_below(os.getpid(), but=before)


async def test_the_impostors_go_to_the_worker_with_the_trials(bosses: Path) -> None:
    pack = bosses / "training-dummy"
    files = {name: path.read_bytes() for name, path in measuring_files(pack).items()}
    submission = collect(pack / "exemplars/solid").model_dump_json()
    result = await run_job(RemoteJob("training-dummy", files, ("dummy.py",), submission, "", tests_alone=True))
    assert result.ended.fatal == ""
    assert b'"impostor_met"' in result.events
    assert b'"unmasked"' in result.events
