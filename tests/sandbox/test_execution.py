"""The record of what runs: lines and functions that runs execute, and code that nobody can read."""

import dataclasses
from collections.abc import Iterator

import pytest

from evalforge.evidence.trials.proxies import Player
from evalforge.sandbox.client import Host
from evalforge.sandbox.execution import NOTHING_RAN, Execution
from evalforge.sandbox.program import Call, Program
from evalforge.sandbox.report import RunLimits
from evalforge.sandbox.staging import StagedSubmission
from tests import factories

MAIN = Program("script", "main.py")
WORK = "import json\ndef total(rows):\n    return sum(rows)\nprint(total([1, 2]))\n"
LONG_FUNCTION = "def long(value):\n" + "    value = value * 3 + 4\n" * 60 + "    return value\n"
LONG = " + ".join(f"value * {number}" for number in range(40))


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    started = Host()
    yield started
    started.shut_down()


def record(host: Host, code: str, *calls: Call, **more: str) -> Execution:
    """What is known after running ``main.py`` once for each call."""
    with StagedSubmission(factories.submission(main=code, **more)) as staged:
        for call in calls or (Call(), Call()):
            host.run(staged, MAIN, call)
        return host.execution(staged)


CODE = """\
import sys
from helper import use


def called(text):
    try:
        return int(text)
    except ValueError:
        return 0


def dead(text):
    return text


if __name__ == "__main__":
    use(called(sys.argv[1]))
"""


def test_runs_add_to_the_lines_that_ran_before(host: Host) -> None:
    helper = "def use(value):\n    if value:\n        return value\n    return None\n"
    one = record(host, CODE, Call(args=("5",)), helper=helper, unused="x = 1\n")
    assert one.files == {"main.py", "helper.py"}
    assert one.was_entered("main.py", [5])
    assert not one.was_entered("main.py", [12])
    assert one.ran("helper.py", [3])
    assert not one.ran("main.py", [9])
    both = record(host, CODE, Call(args=("5",)), Call(args=("words",)), helper=helper)
    assert both.ran("main.py", [9])
    assert {3, 4} <= both.lines["helper.py"]
    assert not both.ran("main.py", [13])


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            "import threading\nthread = threading.Thread(target=work)\nthread.start()\nthread.join()", id="thread"
        ),
        pytest.param("import asyncio\nasync def start():\n    work()\nasyncio.run(start())", id="coroutine"),
        pytest.param("def deep(n):\n    return work() if n == 0 else deep(n - 1)\ndeep(300)", id="deep down"),
        pytest.param("import atexit\natexit.register(work)", id="at exit"),
    ],
)
def test_what_runs_elsewhere_is_recorded(host: Host, code: str) -> None:
    found = record(host, f"def work():\n    return 1\n\n\n{code}\n")
    assert found.was_entered("main.py", [1])
    assert found.ran("main.py", [2])


def test_sessions_are_recorded_and_submissions_kept_apart(host: Host) -> None:
    with StagedSubmission(factories.submission(shop="def price(n):\n    return n\n")) as staged:
        player = Player(host, staged, RunLimits(), lambda step, report: None)
        player.module("shop").price(3)
        player.close()
        assert host.execution(staged).ran("shop.py", [2])
        with StagedSubmission(factories.submission(shop="x = 1\n")) as other:
            assert host.execution(other) == NOTHING_RAN


PROGRAM = "".join(f"if value > {number}:\n    print(value * {number})\n" for number in range(20))

HIDING = {
    "exec": (f"exec({WORK!r})", "text"),
    "exec by another name": (f"run = exec\nrun({WORK!r})", "text"),
    "eval of what defines": ("eval('lambda rows: sum(rows)')([1])", "text"),
    "eval of much": (f"value = 2\neval({LONG!r})", "text"),
    "interpreter": (f"import code\ncode.InteractiveInterpreter().runsource({WORK!r}, symbol='exec')", "text"),
    "timeit": (f"import timeit\ntimeit.timeit({WORK!r}, number=1)", "text"),
    "thread": (
        f"import threading\nt = threading.Thread(target=exec, args=({WORK!r}, {{}}))\nt.start()\nt.join()",
        "text",
    ),
    "a name that exists": (f"exec(compile({WORK!r}, __file__, 'exec'))", "text"),
    "a function of a text": (
        f"import types\ntypes.FunctionType(compile({WORK!r}, __file__, 'exec'), {{}})()",
        "text",
    ),
    "a function within a text": (
        (
            f"import types\nconstants = compile({LONG_FUNCTION!r}, __file__, 'exec').co_consts\n"
            "types.FunctionType(next(each for each in constants if hasattr(each, 'co_code')), {})(4)"
        ),
        "text",
    ),
    "a function with other code": (
        f"def run():\n    pass\nrun.__code__ = compile({WORK!r}, __file__, 'exec')\nrun()",
        "text",
    ),
    "data": ("import runpy\nrunpy.run_path(__file__.replace('main.py', 'work.txt'))", "data"),
    "marshal": (f"import marshal\ncode = marshal.loads(marshal.dumps(compile({WORK!r}, 'x', 'exec')))", "bytes"),
    "another code": ("def f():\n    return 1\nf.__code__ = f.__code__.replace(co_consts=(None, 2))\nf()", "bytes"),
    "switched off": ("import sys\nsys.settrace(None)", "record"),
    "looked at": ("import gc\ngc.get_objects()", "record"),
    "an interpreter of its own": (
        f"import subprocess, sys\ntry:\n    subprocess.run([sys.executable, '-c', {WORK!r}])\nexcept OSError: pass",
        "process",
    ),
    "another program": ("import os\ntry:\n    os.execv('/bin/true', ['true'])\nexcept OSError: pass", "process"),
}


if hasattr(dataclasses, "_create_fn"):  # before Python 3.13
    HIDING["a generator's own means"] = (
        f"import dataclasses\ndataclasses._create_fn('f', (), {WORK.splitlines()!r})()",
        "text",
    )


@pytest.mark.parametrize(("code", "kind"), HIDING.values(), ids=list(HIDING))
def test_code_that_nobody_can_read_is_found_with_its_line(host: Host, code: str, kind: str) -> None:
    submission = factories.submission(main=code)
    text = submission.files[0].model_copy(update={"path": "work.txt", "content": WORK.replace("\\\n", "\n")})
    with StagedSubmission(submission.model_copy(update={"files": (*submission.files, text)})) as staged:
        for _ in range(2):
            host.run(staged, MAIN, Call())
        found = host.execution(staged).hidden
    assert kind in {place.kind for place in found}
    assert {place.path for place in found} <= {"main.py", ""}


HONEST = {
    "data classes": "from dataclasses import dataclass\n@dataclass(frozen=True, order=True)\nclass A:\n    x: int",
    "named tuples": "import collections, typing\ncollections.namedtuple('A', 'x')\nclass B(typing.NamedTuple): ...",
    "a plugin": "import importlib\nimportlib.import_module('helper')",
    "a script": "import runpy\nrunpy.run_path(__file__.replace('main.py', 'helper.py'))",
    "a file by its path": (
        "import importlib.util as u\nspec = u.spec_from_file_location('h', __file__.replace('main.py', 'helper.py'))\n"
        "spec.loader.exec_module(u.module_from_spec(spec))"
    ),
    "a short expression": "eval('1 + 2 * (3 - 4)')",
    "types by name": "import typing\ndef f(x: 'list[int] | None') -> 'str': ...\ntyping.get_type_hints(f)",
    "a template": "import string\nstring.Template('$a').substitute(a=1)\n'{:>{w}}'.format(1, w=3)",
    "a pattern": "import re, json, ast\nre.compile('(a|b)+').match('ab')\nast.literal_eval('[1, 2]')",
    "an enum": "import enum\nclass A(enum.Enum):\n    X = enum.auto()\nenum.Enum('B', 'X Y')",
    "a test double": "from unittest.mock import patch, create_autospec\ndef f(a, b=1): ...\ncreate_autospec(f)(1)",
    "a process": "import os, multiprocessing\nif os.fork() == 0:\n    os._exit(0)\nos.wait()",
    "a copy of a function": (
        "import types\ndef f(a):\n    b = [a for _ in range(3)]\n    import json\n    return json.dumps(b)\n"
        "types.FunctionType(f.__code__, {}, 'g')(1)"
    ),
    "a total order": "import functools\n@functools.singledispatch\ndef f(x): ...\n@f.register\ndef g(x: int): ...",
}


def test_a_program_may_end_with_a_handler_on_one_line(host: Host) -> None:
    code = "try:\n    print(1)\nexcept OSError: pass"
    with StagedSubmission(factories.submission(main=code)) as staged:
        assert [host.run(staged, MAIN, Call()).stdout for _ in range(3)] == ["1\n"] * 3


@pytest.mark.parametrize("code", HONEST.values(), ids=list(HONEST))
def test_honest_use_of_such_means_is_not_held_against_anyone(host: Host, code: str) -> None:
    assert record(host, code, helper="def use():\n    return 1\nuse()\n").hidden == ()


@pytest.mark.parametrize(
    "text", ["{program}\nx{pid} = 0", "x{pid} = 0\n{program}", "def f{pid}():\n  if 1:\n   {program}"]
)
def test_a_text_that_changes_in_part_is_hidden(host: Host, text: str) -> None:
    program = PROGRAM.replace("\n", "\n   ") if "def" in text else PROGRAM
    code = f"import os\nvalue = 2\nexec({text!r}.format(program={program!r}, pid=os.getpid()))\n"
    assert record(host, code, *[Call()] * 3).hidden[0].line == 3


def test_what_a_program_makes_of_its_input_is_not_hidden(host: Host) -> None:
    calls = [Call(args=(LONG.replace("40", str(number)) + f" + {number} ** {number}" * number,)) for number in (1, 2)]
    assert record(host, "import sys\nvalue = 2\nprint(eval(sys.argv[1]))", *calls).hidden == ()


def test_a_record_that_was_written_over_is_still_one(host: Host) -> None:
    code = (
        "import gc, mmap\n"
        "for found in gc.get_objects():\n"
        "    for own in gc.get_referents(found):\n"
        "        if type(own) is mmap.mmap: own[:] = bytes([255]) * len(own)\n"
    )
    found = record(host, code)
    assert found.hidden
    assert found.ran("main.py", [1])


TOUCHING = [
    *["io.FileIO(NAME)", "tokenize.open(NAME)", "os.open(NAME, 0)", "vars(builtins)['op' + 'en'](NAME)"],
    *["pkgutil.get_data('helper', 'data.txt')", "configparser.ConfigParser().read(NAME)", "os.listdir('.')"],
    *["logging.FileHandler(NAME)", "fileinput.input([NAME]).readline()", "operator.methodcaller('open')(P(NAME))"],
]
QUIET = [
    *["zoneinfo.ZoneInfo('Europe/Paris')", "__import__('colorsys')", "logging.getLogger('x').error('%s', NAME)"],
    *["re.compile(NAME)", "json.dumps(NAME)", "io.StringIO(NAME).read()", "traceback.format_exc()", "datetime.now()"],
]
IMPORTS = (
    "import builtins, configparser, fileinput, io, json, logging, operator, os, pkgutil, re, tokenize, traceback\n"
    "import helper, zoneinfo\nfrom datetime import datetime\nfrom pathlib import Path as P\n"
)


@pytest.mark.parametrize(
    ("call", "is_seen"), [*[(each, True) for each in TOUCHING], *[(each, False) for each in QUIET]]
)
def test_what_touches_a_file_is_seen_however_it_is_called(host: Host, call: str, is_seen: bool) -> None:
    code = f"{IMPORTS}NAME = 'data.txt'\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    {call}\n"
    found = record(host, code, Call(files={"data.txt": b"[a]\n"}), helper="")
    assert found.ran("main.py", [9])
    assert found.touched == ({"main.py": frozenset({9})} if is_seen else {})
