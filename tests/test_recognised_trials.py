"""Programs that know a trial by something that used to be the same each time fail it like any other."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from evalforge.evidence.engine import Engine
from evalforge.model.events import TrialFinished
from evalforge.packs.pack import load_pack
from evalforge.packs.trial_key import trial_seed
from tests import factories

STOPPED_CLOCK = """
import time
time.process_time = lambda: 0.0
_put = Cache.put
def _slow_put(self, *args, **options):
    self.keys()
    return _put(self, *args, **options)
Cache.put = _slow_put
"""
IDLE_WHEN_LARGE = """
_init, _put = Cache.__init__, Cache.put
def _note_size(self, capacity, *args, **options):
    self.is_large = type(capacity) is int and capacity > 5_000
    _init(self, capacity, *args, **options)
def _put_if_small(self, *args, **options):
    return None if self.is_large else _put(self, *args, **options)
Cache.__init__, Cache.put = _note_size, _put_if_small
"""


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    engine = Engine()
    yield engine
    await engine.close()


@pytest.mark.parametrize("trick", ["", STOPPED_CLOCK, IDLE_WHEN_LARGE], ids=["none", "stopped-clock", "idle"])
async def test_the_pace_of_a_cache_can_not_be_feigned(engine: Engine, bosses: Path, trick: str) -> None:
    pack = load_pack(bosses / "cache-wraith")
    program = (pack.path / "exemplars/flawless/cache.py").read_text("utf-8") + trick
    submission = factories.submission(cache=program)
    seed = trial_seed(pack.boss_id, submission.content_hash)
    stream = engine.gather(seed, pack.trials, pack.definition.metadata.entry_files, submission)
    async with aclosing(stream) as events:
        trials = [event.trial async for event in events if isinstance(event, TrialFinished)]
    failed = [trial.id.rpartition("::")[2] for trial in trials if not trial.passed]
    assert failed == (["test_a_large_cache", "test_looking_and_deleting"] if trick else [])
