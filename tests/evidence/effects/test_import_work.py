"""A line outside functions works on import if it reads or writes, itself or through whatever it calls."""

from pathlib import Path
from textwrap import dedent

import pytest

from evalforge.evidence.engine import Engine
from tests.evidence.effects.program_facts import program_facts

TRIALS = '''
def test_double(player):
    """It doubles."""
    assert player.module("shop").double(4) == 8
'''
WORKING = {
    "a function that reads": "def load():\n    return open(__file__).read()\n\nDATA = load()",
    "a method": "class Loader:\n    def get(self): return open(__file__).read()\n\nDATA = Loader().get()",
    "a constructor": "class Strike:\n    def __init__(self): print(3)\n\nONE = Strike()",
    "by another name": "show = print\nNOTHING = show('loaded')",
    "in a table": "LOADERS = {'a': lambda: print(1)}\nDATA = LOADERS['a']()",
}
IDLE = {
    "a table of functions that read": "def load():\n    return input()\n\nLOADERS = {'a': load}",
    "partial": "import functools\nshow = functools.partial(print, end='')",
    "lambda": "show = lambda text: print(text)",
    "an object": "class Strike:\n    def __init__(self): self.count = 3\n\nONE = Strike()",
    "a computed table": "def squares(n):\n    return [i * i for i in range(n)]\n\nSQUARES = squares(9)",
}


async def work_on_import(engine: Engine, folder: Path, source: str) -> list[int | None]:
    (folder / "test_shop.py").write_text(TRIALS)
    files = {"shop.py": dedent(source) + "\n\ndef double(n): return 2 * n\n"}
    facts = await program_facts(engine, folder, files)
    assert facts["trials.all"].value == 1.0
    return [finding.line for finding in facts["code.module_level_statements"].findings]


@pytest.mark.parametrize("source", WORKING.values(), ids=WORKING)
async def test_whatever_it_calls_it_works(engine: Engine, tmp_path: Path, source: str) -> None:
    assert await work_on_import(engine, tmp_path, source) == [len(source.splitlines())]


@pytest.mark.parametrize("source", IDLE.values(), ids=IDLE)
async def test_what_is_only_named_does_no_work(engine: Engine, tmp_path: Path, source: str) -> None:
    assert await work_on_import(engine, tmp_path, source) == []
