"""A function returns the words, however it is written, if it prints nothing and what it returns is what is printed."""

from pathlib import Path
from textwrap import dedent

import pytest

from evalforge.evidence.engine import Engine
from evalforge.model.evidence import Fact
from tests.evidence.effects.program_facts import program_facts

TRIALS = '''
import pytest

@pytest.mark.group("greeting")
@pytest.mark.parametrize("name", ["Ada", "Bo"])
def test_greeting(cli, name):
    """It greets."""
    run = cli(name)
    assert run.exit_code == 0
    assert run.stdout.strip() == f"Hello {name}, welcome."

@pytest.mark.group("refusals")
def test_nobody(cli):
    """Somebody must be named."""
    assert cli().exit_code != 0
'''
MAIN = """
def main():
    print(line(sys.argv[1]))

if __name__ == "__main__":
    main()
"""
HONEST = {
    "function": """
        def line(name):
            return f"Hello {name}, welcome."
        """,
    "template from a file": """
        from pathlib import Path

        def line(name):
            template = Path(__file__).with_name("template.txt").read_text().strip()
            return template.format(name=name)
        """,
    "logging": """
        import logging
        logging.basicConfig(level=logging.DEBUG)

        def line(name):
            logging.debug("greeting %s", name)
            return f"Hello {name}, welcome."
        """,
    "lambda": """
        line = lambda name: f"Hello {name}, welcome."
        """,
    "bound format": """
        line = "Hello {}, welcome.".format
        """,
    "partial": """
        from functools import partial
        line = partial(str.format, "Hello {}, welcome.")
        """,
    "str": """
        class line:
            def __init__(self, name):
                self.name = name

            def __str__(self):
                return f"Hello {self.name}, welcome."
        """,
    "decorator": """
        import functools

        def with_stop(function):
            @functools.wraps(function)
            def wrapper(*args):
                return function(*args) + "."
            return wrapper

        @with_stop
        def line(name):
            return f"Hello {name}, welcome"
        """,
    "cache": """
        import functools

        @functools.lru_cache
        def line(name):
            return f"Hello {name}, welcome."
        """,
    "dataclass": """
        from dataclasses import dataclass

        @dataclass(frozen=True)
        class Greeting:
            name: str

            @property
            def words(self):
                return f"Hello {self.name}, welcome."

        def line(name):
            return Greeting(name).words
        """,
    "generator": """
        def lines(names):
            for name in names:
                yield f"Hello {name}, welcome."

        def line(name):
            return next(lines([name]))
        """,
    "generator expression": """
        def lines(names):
            return (f"Hello {name}, welcome." for name in names)

        def line(name):
            return "".join(lines([name]))
        """,
    "singledispatch": """
        import functools

        @functools.singledispatch
        def line(name):
            raise TypeError(name)

        @line.register
        def _(name: str):
            return f"Hello {name}, welcome."
        """,
    "class with state": """
        class Host:
            def __init__(self):
                self.guests = []

            def greet(self, name):
                self.guests.append(name)
                return f"Hello {self.guests[-1]}, welcome."

        line = Host().greet
        """,
    "async": """
        import asyncio

        async def greet(name):
            await asyncio.sleep(0)
            return f"Hello {name}, welcome."

        def line(name):
            return asyncio.run(greet(name))
        """,
    "two modules": """
        from words import line
        """,
}
TRICKS = {
    "made where it is printed": """
        def line(name):
            print(f"Hello {name}, welcome.")
            return ""
        """,
    "made by the caller": """
        def name_of(text):
            return text

        def main():
            print(f"Hello {name_of(sys.argv[1])}, welcome.")
        main()
        sys.exit()
        """,
    "a function whose answer nobody uses": """
        def words(name):
            return f"Hello {name}, welcome."

        def main():
            words(sys.argv[1])
            print(f"Hello {sys.argv[1]}, welcome.")
        main()
        sys.exit()
        """,
    "written to a stream that is handed in": """
        def greet(name, out):
            print(f"Hello {name}, welcome.", file=out)

        def main():
            greet(sys.argv[1], sys.stdout)
        main()
        sys.exit()
        """,
    "collected in a stream that is handed in": """
        import io

        def greet(name, out):
            out.write(f"Hello {name}, welcome.\\n")
            return out

        def main():
            print(greet(sys.argv[1], io.StringIO()).getvalue(), end="")
        main()
        sys.exit()
        """,
    "printed through the bytes below": """
        def line(name):
            sys.stdout.buffer.write(f"Hello {name}, welcome.".encode())
            return ""
        """,
}


@pytest.fixture
def trials(tmp_path: Path) -> Path:
    (tmp_path / "trials").mkdir()
    (tmp_path / "trials" / "test_greeting.py").write_text(TRIALS)
    return tmp_path / "trials"


async def measured(engine: Engine, trials: Path, source: str) -> Fact:
    files = {
        "greet.py": f"import sys\n{dedent(source)}{MAIN}",
        "words.py": 'def line(name):\n    return f"Hello {name}, welcome."\n',
        "template.txt": "Hello {name}, welcome.\n",
    }
    facts = await program_facts(engine, trials, files)
    assert facts["trials.greeting"].value == 1.0
    return facts["code.line_functions"]


@pytest.mark.parametrize("source", HONEST.values(), ids=HONEST)
async def test_however_it_is_written_it_returns_a_line(engine: Engine, trials: Path, source: str) -> None:
    fact = await measured(engine, trials, source)
    assert fact.value
    assert "returns a line of the output" in fact.findings[0].message


@pytest.mark.parametrize("source", TRICKS.values(), ids=TRICKS)
async def test_tricks_return_no_line(engine: Engine, trials: Path, source: str) -> None:
    fact = await measured(engine, trials, source)
    assert fact.value == 0


async def test_a_line_too_many_is_no_fault_of_the_others(engine: Engine, trials: Path) -> None:
    forgiving = TRIALS.replace("run.stdout.strip() ==", "run.stdout.splitlines()[0] ==")
    (trials / "test_greeting.py").write_text(forgiving)
    chatty = """
        def line(name):
            return f"Hello {name}, welcome."

        def main():
            print(line(sys.argv[1]))
            print("One guest.")
        main()
        sys.exit()
        """
    fact = await measured(engine, trials, chatty)
    assert fact.value == 1
