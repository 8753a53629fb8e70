"""What runs on import, where the program starts, which numbers have no name, which blocks repeat."""

import pytest


@pytest.mark.parametrize(
    "source",
    [
        pytest.param('"""Doc."""\nimport os\nfrom a import b\n', id="imports"),
        pytest.param("LIMIT = 3\nNAMES = ('a', 'b')\ntolerance = 1.0\n", id="constants"),
        pytest.param("A: int = 1\nB: str\n", id="annotated"),
        pytest.param("SECONDS = 60 * 60\nLOW = -1\nTEXT = f'{LOW}'\n", id="constant expressions"),
        pytest.param(
            "CODES = {'HEAT': 10}\nBACK = {v: k for k, v in CODES.items()}".replace(".items()", ""), id="tables"
        ),
        pytest.param("Pair = tuple[int, int]\nMaybe = int | None\n", id="type aliases"),
        pytest.param("__all__ = ['f']\n__all__ += ['g']\n__version__ = '1'\n", id="dunders"),
        pytest.param("import logging\nlogger = logging.getLogger(__name__)\n", id="logger"),
        pytest.param(
            """
            import logging
            logging.getLogger('x').addHandler(logging.NullHandler())
            """,
            id="null handler",
        ),
        pytest.param("import re\nWORD = re.compile(r'\\w+')\n", id="pattern"),
        pytest.param(
            """
            from decimal import Decimal
            CENT = Decimal('0.01')
            ZERO = frozenset({1})
            """,
            id="objects",
        ),
        pytest.param("from enum import Enum\nclass A(Enum):\n    X = 1\nDEFAULT = A.X\n", id="enum"),
        pytest.param(
            """
            from dataclasses import dataclass
            @dataclass
            class C:
                x: int = 3
            BASE = C(4)
            """,
            id="dataclass",
        ),
        pytest.param("from typing import TypeVar\nT = TypeVar('T')\n", id="type variable"),
        pytest.param(
            """
            try:
                import tomllib
            except ImportError:
                tomllib = None
            """,
            id="optional import",
        ),
        pytest.param(
            """
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                import a
            """,
            id="type checking",
        ),
        pytest.param(
            """
            import sys
            if sys.version_info >= (3, 12):
                X = 1
            else:
                X = 2
            """,
            id="version",
        ),
        pytest.param(
            """
            import sys
            if __name__ == '__main__':
                x = main()
                sys.exit(x)
            """,
            id="main guard",
        ),
        pytest.param("square = lambda x: x * x\n", id="lambda"),
        pytest.param("if SimpleQueue is None:\n    SimpleQueue = PlainQueue\n", id="accelerated version"),
        pytest.param("try:\n    complex\nexcept NameError:\n    complex = float\n", id="a name that may lack"),
        pytest.param("import threading\nlock = threading.Lock()\nown = threading.local()\n", id="lock"),
        pytest.param("from random import SystemRandom\nrng = SystemRandom()\n", id="source of chance"),
        pytest.param("import csv\ncsv.register_dialect('x', X)\n", id="registered dialect"),
        pytest.param("import abc\nclass A(abc.ABC): ...\nA.register(list)\n", id="what counts as an abstract class"),
        pytest.param(
            "import os\nif os.environ.get('PLAIN'):\n    f = None\nelse:\n    from fast import f\n",
            id="chosen by a setting",
        ),
        pytest.param(
            "import os\nif hasattr(os, 'register_at_fork'):\n    os.register_at_fork(before=f)\n", id="registered hook"
        ),
        pytest.param("import sys\nassert sys.version_info >= (3, 9), 'too old'\n", id="version asserted"),
        pytest.param("import sys\nif sys.version_info < (3, 9):\n    raise OSError('too old')\n", id="refused"),
        pytest.param("async def f(): pass\nclass C:\n    y = g()\n", id="definitions"),
    ],
)
def test_definitions_and_constants_do_no_work_on_import(facts, source):
    assert facts(source)["code.module_level_statements"].findings == ()


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("print('x')", 1, id="call"),
        pytest.param("data = open('x').read()", 1, id="assigned call"),
        pytest.param(
            "def load():\n    return input()\n\ndata = load()", 1, id="assigned call of a function that reads"
        ),
        pytest.param("from decimal import getcontext\ngetcontext().prec = 60", 1, id="another module's state"),
        pytest.param("import time\nbegan = time.monotonic()", 1, id="the clock"),
        pytest.param("for i in range(3):\n    print(i)", 2, id="block and what is in it"),
        pytest.param("with open('x') as h:\n    a = h.read()\n    b = 1", 2, id="with"),
        pytest.param("if ready():\n    go()\nelse:\n    stop()", 3, id="branches"),
        pytest.param("try:\n    go()\nexcept OSError:\n    stop()", 3, id="try"),
        pytest.param("import sys\nsys.path.insert(0, '.')", 1, id="path surgery"),
        pytest.param("x = 0\nx += 1", 1, id="counting"),
        pytest.param("import random\nx = random.random()", 1, id="chance"),
        pytest.param("def register():\n    print('x')\n\nregister()", 1, id="own function called register"),
        pytest.param(
            "class A:\n    @classmethod\n    def register(cls, x):\n        print(x)\n\nA.register(1)",
            1,
            id="own class method",
        ),
        pytest.param("assert 1", 1, id="assert"),
        pytest.param("raise SystemExit(main())", 1, id="main in a raise"),
        pytest.param("main()", 1, id="unguarded main"),
    ],
)
def test_work_on_import_is_counted_statement_by_statement(facts, source, value):
    assert facts(source)["code.module_level_statements"].value == value


def test_the_main_file_of_a_package_may_start_it(facts):
    found = facts(
        {"p/__main__.py": "import sys\nfrom .cli import run\nsys.exit(run())\n", "p/cli.py": "def run(): return 0\n"}
    )
    assert found["code.module_level_statements"].value == 0
    assert found["code.main_guard"].value is True


def test_setup_files_may_call_setup(facts):
    found = facts({"setup.py": "from setuptools import setup\nsetup(name='x')\n"})
    assert found["code.module_level_statements"].value == 0


@pytest.mark.parametrize(
    ("source", "guard", "function"),
    [
        pytest.param("def main(): pass\nif __name__ == '__main__':\n    main()", True, True, id="the usual"),
        pytest.param(
            """
            def start(): pass
            if '__main__' == __name__:
                start()
            """,
            True,
            True,
            id="another name",
        ),
        pytest.param("def main(): pass", False, True, id="no guard"),
        pytest.param("if __name__ == '__main__':\n    print(1)", True, False, id="no function"),
        pytest.param("class C:\n    def main(self): pass", False, False, id="a method is no main"),
        pytest.param("async def main(): pass", False, True, id="async"),
        pytest.param("import click\n@click.command()\ndef furnace(): pass", False, True, id="command"),
        pytest.param("x = 1", False, False, id="neither"),
        pytest.param("if __name__ != '__main__':\n    pass", False, False, id="not equal"),
    ],
)
def test_the_start_of_a_program_is_found(facts, source, guard, function):
    found = facts(source)
    assert (found["code.main_guard"].value, found["code.main_function"].value) == (guard, function)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("import argparse\np = argparse.ArgumentParser()", True, id="argparse"),
        pytest.param("from argparse import ArgumentParser as P\ndef f(): return P()", True, id="alias"),
        pytest.param("import typer\napp = typer.Typer()", True, id="typer"),
        pytest.param("import argparse", False, id="only imported"),
        pytest.param("import sys\nx = sys.argv", False, id="by hand"),
    ],
)
def test_an_argument_parser_counts_when_used(facts, source, value):
    assert facts(source)["code.argparse"].value is value


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("def f(x): return x * 3.6", 1, id="factor"),
        pytest.param("def f(x):\n    if x > 37: return 11", 2, id="threshold and result"),
        pytest.param("def f(x): return x[3] == -5", 2, id="index and comparison"),
        pytest.param("def f(x): return x * 0xFF", 1, id="hexadecimal"),
        pytest.param("def f(x):\n    match x:\n        case 7: return x", 1, id="case"),
        pytest.param("if x > 37: pass", 1, id="module body"),
        pytest.param("def f(x): return (0, 1, -1, 2, 10, 100, 1.0, True)", 0, id="everyday numbers"),
        pytest.param("LIMIT = 37\nDAY = 24 * 3600\nlow = float(36.5)", 0, id="constants"),
        pytest.param("class A:\n    HEAT = 11\n    size: int = 12", 0, id="class attributes"),
        pytest.param("def f(tolerance=1.5, *, size: int = 64): pass", 0, id="defaults"),
        pytest.param("def f(x): return g(x, indent=4)", 0, id="keywords"),
        pytest.param("def f(x):\n    limit = 37\n    day = 24 * 60\n    return limit", 0, id="variables"),
        pytest.param("def f(x):\n    return {'HEAT': 10, 'COOL': 11, x: 12}[x]", 0, id="dictionary"),
        pytest.param("def f(x): return round(x, 3)", 0, id="digits"),
        pytest.param(
            """
            from typing import Literal
            def f(x: Literal[3]) -> Literal[4]: ...
            """,
            0,
            id="annotations",
        ),
        pytest.param("@retry(5)\ndef f(): pass", 0, id="decorators"),
        pytest.param("def f(x):\n    y = x * 3.6\n    return y", 1, id="a formula names no number"),
    ],
)
def test_numbers_without_a_name_are_magic(facts, source, value):
    assert facts(source)["code.magic_numbers"].value == value


def test_a_magic_number_is_shown_as_written(facts):
    assert facts("def f(x): return x & 0xD8_00\n")["code.magic_numbers"].findings[0].message.startswith("`0xD8_00`")


BLOCK = """
    rows = read(path)
    for row in rows:
        if row.valid:
            total.add(row.value)
    rows.close()
    report(total, 'done')
"""


def test_a_repeated_block_is_found_once_whatever_its_names(facts):
    renamed = BLOCK.replace("rows", "lines").replace("row", "line").replace("total", "result")
    source = f"def f(path, total):{BLOCK}\ndef g(path, result):\n    # again\n{renamed}"
    fact = facts(source)["code.duplicate_blocks"]
    assert fact.value == 1
    assert "repeat app.py:" in fact.findings[0].message


def test_blocks_repeat_across_files(facts):
    found = facts({"a.py": f"def f(path, total):{BLOCK}", "b.py": f"def g(path, total):{BLOCK}"})
    assert found["code.duplicate_blocks"].value == 1
    assert found["code.duplicate_blocks"].findings[0].path == "b.py"


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            "def f(path, total):"
            + "\n".join(BLOCK.splitlines()[:5])
            + "\ndef g(path, total):"
            + "\n".join(BLOCK.splitlines()[:5]),
            id="too short",
        ),
        pytest.param(
            "def f(path, total):"
            + BLOCK
            + "def g(path, total):"
            + BLOCK.replace("valid", "fresh").replace("close", "end"),
            id="other words",
        ),
        pytest.param("TABLE = [\n" + "    1,\n" * 40 + "]\n", id="a table"),
        pytest.param(
            "def f(p):\n" + "".join(f"    p.add_argument('--{c}', required=True)\n" for c in "abcdefghijklmnop"),
            id="options",
        ),
        pytest.param("def f(p):\n" + "    p()\n" * 30, id="one statement many times"),
        pytest.param("".join(f"import {c}\n" for c in "abcdefg") * 3, id="imports"),
    ],
)
def test_likeness_is_no_repetition(facts, source):
    assert facts(source)["code.duplicate_blocks"].value == 0


def test_the_main_file_of_a_package_may_find_its_package(facts):
    found = facts(
        {
            "p/__main__.py": "import sys\nif not __package__:\n    sys.path.insert(0, '..')\n    __package__ = 'p'\n"
            "from p.cli import run\nsys.exit(run())\n",
            "p/cli.py": "def run(): return 0\n",
        }
    )
    assert found["code.module_level_statements"].value == 0


def test_a_test_of_the_package_excuses_no_work(facts):
    source = "import sys\nif not __package__:\n    print('x')\n    sys.path.insert(0, '..')\n"
    assert facts(source)["code.module_level_statements"].value == 2
