"""What runs on import, where the program starts, which blocks repeat."""

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
        pytest.param("from decimal import getcontext\ngetcontext().prec = 60", 1, id="another module's state"),
        pytest.param("for i in range(3):\n    print(i)", 2, id="block and what is in it"),
        pytest.param("with open('x') as h:\n    a = h.read()\n    b = 1", 1, id="with"),
        pytest.param("if ready():\n    go()\nelse:\n    stop()", 3, id="branches"),
        pytest.param("try:\n    go()\nexcept OSError:\n    stop()", 3, id="try"),
        pytest.param("import sys\nsys.path.insert(0, '.')", 1, id="path surgery"),
        pytest.param("x = 0\nx += 1", 1, id="counting"),
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
    ("source", "guard"),
    [
        pytest.param("def main(): pass\nif __name__ == '__main__':\n    main()", True, id="the usual"),
        pytest.param("def start(): pass\nif '__main__' == __name__:\n    start()", True, id="the other way round"),
        pytest.param("def main(): pass", False, id="no guard"),
        pytest.param("if __name__ != '__main__':\n    pass", False, id="not equal"),
    ],
)
def test_the_start_of_a_program_is_found(facts, source, guard):
    assert facts(source)["code.main_guard"].value == guard


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
