"""What a program prints anew each time is left out of what is quoted: two judgings say the same, byte for byte."""

import asyncio
from contextlib import aclosing
from pathlib import Path

from evalforge.evidence.engine import Engine
from evalforge.evidence.trials.plugin import steady_words
from evalforge.model.events import TrialFinished
from evalforge.model.evidence import TrialResult
from tests import factories

TRIALS = '''
import pytest

def test_output(cli):
    """The program prints its answer."""
    run = cli("furnace")
    assert run.stdout == "answer", f"expected 'answer'; got {run.stdout!r}."

def test_key(player):
    """The module keeps a value."""
    kept = player.module("main").kept("oak")
    assert kept == "oak", f"expected 'oak'; got {kept!r}."
'''
PROGRAM = """
import logging
import os
import sys
import time
import uuid

def kept(key):
    return key, time.time(), uuid.uuid4().hex

if __name__ == "__main__":
    logging.basicConfig(stream=sys.stdout, format="%(asctime)s [%(levelname)s] %(message)s", level=logging.INFO)
    logging.info("HEAT %s", sys.argv[1])
    print(f"process {os.getpid()} of {object()!r}", time.strftime("%H:%M:%S"), "done")
"""


async def results(engine: Engine, folder: Path) -> list[TrialResult]:
    (folder / "test_it.py").write_text(TRIALS, "utf-8")
    stream = engine.gather("seed", folder, ("main.py",), factories.submission(main=PROGRAM))
    async with aclosing(stream) as events:
        trials = [event.trial async for event in events if isinstance(event, TrialFinished)]
    return [trial.model_copy(update={"seconds": 0.0}) for trial in trials]


async def test_two_judgings_quote_the_same(engine: Engine, tmp_path: Path) -> None:
    first = await results(engine, tmp_path)
    await asyncio.sleep(1.1)
    assert await results(engine, tmp_path) == first
    output, key = first[-2:]
    assert (
        output.message
        == "expected 'answer'; got '… … [INFO] HEAT furnace\\nprocess … of <object object at …> … done\\n'."
    )
    assert key.message == "expected 'oak'; got ('oak', …, '…')."


def test_words_that_both_runs_say_are_kept() -> None:
    text = "put 3 at 09:30:00 on 2024-05-01; got (7, 0x10)"
    assert steady_words(text, text, 1_700_000_000.0, 1_700_000_000.5) == text
    assert steady_words("a b c d", "a x d", 0.0, 0.0) == "a … d"
