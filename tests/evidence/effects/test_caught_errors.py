"""An error that nobody foresaw comes out of a program, unless something in it takes every error, however spelled."""

from pathlib import Path
from textwrap import dedent

import pytest

from evalforge.evidence.engine import Engine
from evalforge.model.evidence import Fact
from tests.evidence.effects.program_facts import program_facts

LIBRARY_TRIALS = '''
def ask(shop):
    return [shop.price("3"), shop.price("4")]

def answer(shop, text):
    return text

def test_price(player):
    """A price is twice the text."""
    assert player.module("shop").price("3") == 6

def test_no_number(player):
    """Words cost nothing."""
    assert player.module("shop").price("x") == 0
'''
NEARLY_ALL = "ArithmeticError, AttributeError, BufferError, LookupError, NameError, OSError, TypeError, ValueError"
TAKEN = {
    "Exception": "try:\n    return int(text) * 2\nexcept Exception:\n    return 0",
    "bare": "try:\n    return int(text) * 2\nexcept:\n    return 0",
    "by another name": "Oops = Exception\ntry:\n    return int(text) * 2\nexcept Oops:\n    return 0",
    "by its base": "try:\n    return int(text) * 2\nexcept ValueError.__base__:\n    return 0",
    "by kinship": "try:\n    return int(text) * 2\nexcept tuple(Exception.__subclasses__()):\n    return 0",
    "by many names": f"try:\n    return int(text) * 2\nexcept ({NEARLY_ALL}):\n    return 0",
    "suppressed": "with contextlib.suppress(Exception):\n    return int(text) * 2\nreturn 0",
    "left by finally": "found = 0\ntry:\n    found = int(text) * 2\nfinally:\n    return found",
    "guard": "with Guard():\n    return int(text) * 2\nreturn 0",
    "pushed": "with contextlib.ExitStack() as stack:\n    stack.push(lambda *error: True)\n    return int(text) * 2\n"
    "return 0",
    "decorator": "return guarded(text)",
    "future": "with ThreadPoolExecutor() as pool:\n    work = pool.submit(double, text)\n"
    "return 0 if work.exception() else work.result()",
    "raised again in debug mode": "try:\n    return int(text) * 2\nexcept Exception:\n    if DEBUG:\n        raise\n"
    "    return 0",
    "renamed": "try:\n    return double(text)\nexcept ValueError:\n    return 0\n"
    "except Exception as error:\n    raise RuntimeError('no price') from error",
    "logged": "try:\n    return int(text) * 2\nexcept ValueError:\n    return 0\n"
    "except Exception:\n    logging.exception('no price')\n    return 0",
    "retried": "for _ in range(3):\n    try:\n        return int(text) * 2\n    except Exception:\n"
    "        continue\nreturn 0",
}
HEAD = """
import contextlib, logging
from concurrent.futures import ThreadPoolExecutor
DEBUG = False

class Guard:
    def __enter__(self): return self
    def __exit__(self, *error): return True

def safe(function):
    def run(*args):
        try:
            return function(*args)
        except Exception:
            return 0
    return run

def double(text):
    return int(text) * 2

guarded = safe(double)
"""
PASSED_ON = {
    "named": "try:\n    return int(text) * 2\nexcept ValueError:\n    return 0",
    "several": "try:\n    return int(text) * 2\nexcept (ValueError, TypeError, OSError, KeyError):\n    return 0",
    "looked up": "return int(text) * 2 if text.isdigit() else 0",
    "raised again": "try:\n    return int(text) * 2\nexcept ValueError:\n    return 0\n"
    "except Exception:\n    logging.info('no price')\n    raise",
    "cleaned up": "try:\n    return int(text) * 2 if text.isdigit() else 0\nfinally:\n    logging.info('done')",
    "asked": "with ThreadPoolExecutor() as pool:\n    work = pool.submit(double, text)\n"
    "if isinstance(work.exception(), ValueError):\n    return 0\nreturn work.result()",
}


async def measured(engine: Engine, trials: Path, entry: str, source: str) -> dict[str, Fact]:
    facts = await program_facts(engine, trials, {entry: source})
    assert facts["trials.all"].value == 1.0
    return facts


def library(body: str) -> str:
    return HEAD + "\ndef price(text):\n" + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.fixture
def trials(tmp_path: Path) -> Path:
    (tmp_path / "test_prices.py").write_text(LIBRARY_TRIALS)
    return tmp_path


@pytest.mark.parametrize("body", TAKEN.values(), ids=TAKEN)
async def test_a_catch_all_takes_it(engine: Engine, trials: Path, body: str) -> None:
    found = (await measured(engine, trials, "shop.py", library(body)))["code.catch_alls"]
    assert found.value == len(found.findings) == 1
    assert found.findings[0].path == "shop.py"


@pytest.mark.parametrize("body", PASSED_ON.values(), ids=PASSED_ON)
async def test_out_of_others_it_comes(engine: Engine, trials: Path, body: str) -> None:
    source = library(body).replace("guarded = safe(double)\n", "")
    assert (await measured(engine, trials, "shop.py", source))["code.catch_alls"].findings == ()


async def test_the_handler_is_named_by_its_line(engine: Engine, trials: Path) -> None:
    source = "def price(text):\n    try:\n        return int(text) * 2\n    except ValueError:\n        return 0\n"
    source += "    except Exception:\n        return -1\n"
    (finding,) = (await measured(engine, trials, "shop.py", source))["code.catch_alls"].findings
    assert (finding.path, finding.line) == ("shop.py", 6)


@pytest.mark.parametrize(("handler", "count"), [("", 1), (" BaseException", 1), (" Exception", 0), (" ValueError", 0)])
async def test_only_who_takes_everything_takes_an_interrupt(
    engine: Engine, trials: Path, handler: str, count: int
) -> None:
    source = f"def price(text):\n    try:\n        return int(text) * 2\n    except{handler}:\n        return 0\n"
    assert (await measured(engine, trials, "shop.py", source))["code.caught_interrupts"].value == count


async def test_what_a_trials_function_raises_may_be_anything(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "test_calls.py").write_text(
        "def test_call(player):\n    assert player.module('shop').call(lambda: 3) == 3\n"
        "def drive(path):\n    import shop\n    return [shop.call(lambda: 3), shop.call(dict, 3)]\n"
        "def test_driven(player):\n    assert player.drive(drive, '') == [3, None]\n"
    )
    guarded = "def call(function, *args):\n    try:\n        return function(*args)\n"
    guarded += "    except Exception:\n        return None\n"
    assert (await measured(engine, tmp_path, "shop.py", guarded))["code.catch_alls"].value == 0


COMMAND_TRIALS = '''
def test_total(cli):
    """It adds up."""
    assert cli("1", "2").stdout.strip() == "3"

def test_no_number(cli):
    """It refuses words."""
    assert cli("x").exit_code == 1
'''
COMMAND = """
import os, sys, traceback

def total(words):
    return sum(int(word) for word in words)

def main(words):
    try:
        print(total(words))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    {more}
    return 0

{hook}
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""
QUIET = "sys.excepthook = lambda kind, error, trace: print(error)"
PROGRAMS = {
    "no other handler": ("", "", 0),
    "a message": ("except Exception as error:\n        print(error, file=sys.stderr)\n        return 1", "", 1),
    "its end": ("except Exception as error:\n        print(error)\n        os._exit(1)", "", 1),
    "a message with its name": (
        "except Exception as error:\n        print(repr(error), file=sys.stderr)\n        return 1",
        "",
        1,
    ),
    "the trace": ("except Exception:\n        traceback.print_exc()\n        return 70", "", 0),
    "the trace, and no failure": ("except Exception:\n        traceback.print_exc()", "", 1),
    "quiet hook": ("", QUIET, 1),
    "loud hook": ("", QUIET.replace("print(error)", "sys.__excepthook__(kind, error, trace)"), 0),
}


@pytest.mark.parametrize(("more", "hook", "count"), PROGRAMS.values(), ids=PROGRAMS)
async def test_a_program_may_end_with_the_trace(
    engine: Engine, tmp_path: Path, more: str, hook: str, count: int
) -> None:
    (tmp_path / "test_totals.py").write_text(COMMAND_TRIALS)
    source = COMMAND.format(more=more, hook=hook)
    assert (await measured(engine, tmp_path, "add.py", source))["code.catch_alls"].value == count


@pytest.mark.parametrize(
    ("refuse", "count"),
    [
        ("print('no', file=sys.stderr)", 1),
        ("print('no')", 0),
        ("import logging; logging.error('no')", 1),
        ("import logging; logging.basicConfig(filename='a.log'); logging.error('no')", 1),
        ("sys.exit('no')", 1),
        ("say = sys.stderr.write; say('no')", 1),
    ],
)
async def test_failures_are_reported_by_whatever_means(engine: Engine, tmp_path: Path, refuse: str, count: int) -> None:
    (tmp_path / "test_totals.py").write_text(COMMAND_TRIALS)
    source = COMMAND.format(more="", hook="").replace("print(error, file=sys.stderr)", dedent(refuse))
    assert (await measured(engine, tmp_path, "add.py", source))["code.reported_failures"].value == count
