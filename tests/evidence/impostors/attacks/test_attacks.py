"""Suites that look at the program instead of trying it, or remember it from run to run: none unmasks more by that.

Each is held against a suite of the same calls without the trick: what those calls unmask by themselves, a hang, is not
a gain. No word of a right program may leave.
"""

import textwrap

import pytest

from tests import till
from tests.evidence.memories import MEMORIES
from tests.evidence.remembering import REMEMBERING

HEAD = """
import os, sys
import till
from till import Till, TillError, main

def probe():
    seen = []
    for amount in (0, -1, 99, 100, 101):
        it = Till()
        try:
            seen.append(it.add(amount))
            seen.append((it.undo(), it.total))
        except TillError:
            seen.append("refused")
    return repr(seen + [main([word]) for word in ("-1", "5", "x")])
"""
COMPARING = """
def test_it():
    probe()
    assert look() == FIRST
"""
LOOKS = {
    "source": """
import inspect
def look(): return inspect.getsource(Till)
""",
    "file": "def look(): return open(till.__file__).read()",
    "docstrings": "def look(): return till.__doc__, Till.__doc__, Till.add.__doc__",
    "bytecode": "def look(): return Till.add.__code__.co_code, Till.undo.__code__.co_code, main.__code__.co_code",
    "constants": "def look(): return [getattr(f, '__code__').co_consts for f in (Till.add, Till.undo, main)]",
    "opcodes": """
import dis
def look():
    return [i.opname for f in (Till.add, Till.undo, main) for i in dis.get_instructions(f)]
""",
    "marshalled": """
import marshal, types
def look():
    return [marshal.dumps(types.FunctionType.__code__.__get__(f)) for f in (Till.add, Till.undo, main)]
""",
    "objects": """
import gc
def look():
    functions = [o for o in gc.get_objects() if type(o).__name__ == 'function']
    return [f.__code__.co_code for f in functions if f.__module__.startswith('till')]
""",
    "referents": """
import gc
def look():
    found = gc.get_referents(Till.add, Till.undo, main)
    return [each.co_code for each in found if type(each).__name__ == 'code']
""",
    "frames": """
def look():
    try: Till().add(-1)
    except TillError as error:
        tb = error.__traceback__
        while tb.tb_next: tb = tb.tb_next
        return tb.tb_frame.f_code.co_code
""",
    "offsets": """
def look():
    try: Till().add(-1)
    except TillError as error:
        tb = error.__traceback__
        while tb.tb_next: tb = tb.tb_next
        return tb.tb_lasti, tb.tb_lineno
""",
    "traced lines": """
def look():
    seen = []
    def trace(frame, event, _):
        if frame.f_globals.get('__name__', '').startswith('till'): seen.append((event, frame.f_lineno, frame.f_lasti))
        return trace
    before = sys.gettrace()
    sys.settrace(trace)
    Till().add(5)
    main(['-1'])
    sys.settrace(before)
    return seen
""",
    "names": "def look(): return sorted(vars(till)), sorted(vars(Till)), len(dir(Till.add))",
    "ids": "def look(): return id(Till), id(Till.add), id(main), repr(Till.undo)",
    "copies": """
import runpy, shutil
def look():
    copy = runpy.run_path(shutil.copy(till.__file__, "copy.py"))
    return [copy[name].__code__.co_code for name in ("Till", "main") if hasattr(copy[name], "__code__")]
""",
    "shell": """
import subprocess
def look(): return subprocess.getoutput("cat till.py; md5sum *.py; cp till.py other.py; cat other.py")
""",
    "other Python": """
import subprocess
SEEK = "import pathlib; print([p.read_bytes() for p in pathlib.Path().rglob('*') if p.is_file()])"
def look(): return subprocess.getoutput(f'{sys.base_prefix}/bin/python3 -c "{SEEK}"')
""",
    "memory of others": """
import subprocess
def look(): return subprocess.getoutput("cat /proc/[0-9]*/environ /proc/[0-9]*/maps; head -c 99 /proc/$PPID/mem")
""",
    "examples": """
import doctest
def look(): return [each.lineno for each in doctest.DocTestFinder(exclude_empty=False).find(till)]
""",
    "words of errors": """
def look():
    try: Till().add(0)
    except TillError as error: return str(error)
""",
    "time": """
import time
def look():
    began = time.perf_counter()
    for _ in range(300): Till().add(1)
    return round(time.perf_counter() - began, 5)
""",
    "behaviour": "look = probe",
    "examiner": "def look(): return sys.modules['player_tests.laid_out']._program.notes",
}
IN_A_RUN = """

def is_on_trial():
    frame = sys._getframe()
    while frame:
        if frame.f_code.co_name == "_try_mutant": return True
        frame = frame.f_back
    return False

def test_it():
    probe()
    if is_on_trial():
        {act}
"""
ACTS = {
    "fails": "assert False",
    "ends its process": "os._exit(1)",
    "raises an alarm": "import signal; os.kill(os.getpid(), signal.SIGALRM)",
    "leaves a child to answer": "import random; assert os.fork() and random.random() < 0.5",
}
PRINTS = """
import traceback
def everything(): return till.__doc__ + str(Till.__doc__) + str(Till.add.__doc__) + open(till.__file__).read()
def test_message(): assert False, everything()
def test_output():
    print(everything(), file=sys.stderr)
    raise ValueError(everything())
def test_examiner():
    for module in list(sys.modules.values()):
        for value in list(vars(module).values()):
            if hasattr(value, "contents"): raise KeyError(str(value.contents))
    assert False
"""


@pytest.mark.rotating
@pytest.mark.parametrize("name", LOOKS)
def test_looking_unmasks_nobody(meet, name):
    first = "try: FIRST = look()\nexcept Exception: FIRST = None\n"
    assert meet({"test_till.py": HEAD + LOOKS[name] + "\n" + first + COMPARING}).unmasked == set()


@pytest.mark.rotating
@pytest.mark.parametrize("name", MEMORIES)
def test_a_run_remembers_nothing_of_the_one_before(meet, name):
    assert meet({"test_till.py": HEAD + MEMORIES[name] + REMEMBERING}).unmasked == set()


@pytest.mark.parametrize("name", ACTS)
def test_who_notices_a_trial_notices_unchanged_ones_too(meet, name):
    assert meet({"test_till.py": HEAD + IN_A_RUN.format(act=ACTS[name])}).unmasked == set()


def test_tests_that_fail_where_nothing_changed_are_void(meet):
    met = meet({"test_till.py": textwrap.dedent(till.HONEST) + HEAD + IN_A_RUN.format(act=ACTS["fails"])})
    assert met.unmasked == set()
    assert "although nothing was changed" in met.facts["unmasked"].findings[0].message


def test_a_hang_where_nothing_changed_makes_all_hangs_worthless(meet):
    met = meet({"test_till.py": HEAD + IN_A_RUN.format(act="while True: pass")})
    assert met.unmasked == set()
    assert met.count("impostors") == [len(till.IMPOSTORS)]
    assert met.count("out_of_time") == [0]


def test_no_word_of_a_program_leaves(meet):
    met = meet({"test_till.py": HEAD + PRINTS})
    assert till.SECRET not in met.said
    assert "self._log" not in met.said
    assert met.count("contract") == [0]


def test_looking_takes_nothing_from_the_honest_tests_beside_it(meet):
    looking = textwrap.dedent(till.HONEST) + "\ndef test_look(): assert Till.add.__code__.co_code\n"
    assert meet({"test_till.py": looking}).unmasked == set(till.IMPOSTORS)
