"""A function decides if it neither reads nor writes, and what it answers changes what the program does."""

import json
from pathlib import Path
from textwrap import dedent

import pytest

from evalforge.evidence.engine import Engine
from evalforge.model.evidence import Fact
from tests.evidence.effects.program_facts import program_facts

TRIALS = '''
import pytest

@pytest.mark.group("plain")
@pytest.mark.parametrize(("readings", "status"), [("1 2 3", 10), ("30 31", 11), ("19 21", 0)])
def test_readings(cli, readings, status):
    """It decides."""
    assert cli("r.txt", files={"r.txt": readings}).exit_code == status

@pytest.mark.group("edges")
@pytest.mark.parametrize(("readings", "status"), [("19", 0), ("18", 10), ("22", 11)])
def test_edges(cli, readings, status):
    """Up to the edges."""
    assert cli("r.txt", files={"r.txt": readings}).exit_code == status

@pytest.mark.group("refusals")
def test_no_file(cli):
    """There must be a file."""
    assert cli("r.txt").exit_code == 1

@pytest.mark.group("refusals")
def test_words(cli):
    """There must be numbers."""
    assert cli("r.txt", files={"r.txt": "one"}).exit_code == 1
'''
HEAD = """
import sys
from pathlib import Path

def load(path):
    try:
        return [float(word) for word in Path(path).read_text().split()]
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        sys.exit(1)
"""
MAIN = """
def main(arguments):
    status = decide(load(arguments[0]))
    print("status", status)
    return status

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""
RULE = """
def decide(readings):
    average = sum(readings) / len(readings)
    return 10 if average < 19 else 11 if average > 21 else 0
"""
HONEST = {
    "function": RULE + MAIN,
    "in another module": "from rules import decide\n" + MAIN,
    "lambda in a table": dedent("""
        RULES = {"decide": lambda average: 10 if average < 19 else 11 if average > 21 else 0}

        def decide(readings):
            return RULES["decide"](sum(readings) / len(readings))
        """)
    + MAIN,
    "status enum": dedent("""
        import enum

        class Status(enum.IntEnum):
            STABLE = 0
            REFUSED = 1
            HEAT = 10
            COOL = 11

        def decide(readings):
            average = sum(readings) / len(readings)
            return Status.HEAT if average < 19 else Status.COOL if average > 21 else Status.STABLE
        """)
    + MAIN,
    "words": """
        STATUS = {"STABLE": 0, "HEAT": 10, "COOL": 11}

        def choose(average):
            return "HEAT" if average < 19 else "COOL" if average > 21 else "STABLE"

        def main(arguments):
            readings = load(arguments[0])
            word = choose(sum(readings) / len(readings))
            print(word)
            return STATUS[word]

        sys.exit(main(sys.argv[1:]))
        """,
    "named tuple": """
        from typing import NamedTuple

        class Decision(NamedTuple):
            word: str
            status: int

        def choose(average):
            if average < 19:
                return Decision("HEAT", 10)
            return Decision("COOL", 11) if average > 21 else Decision("STABLE", 0)

        readings = load(sys.argv[1])
        sys.exit(choose(sum(readings) / len(readings)).status)
        """,
    "enum and class with state": """
        from enum import Enum

        class Decision(Enum):
            STABLE = 0
            HEAT = 10
            COOL = 11

        class Controller:
            def __init__(self):
                self.readings = []

            def add(self, reading):
                self.readings.append(reading)

            def decide(self):
                average = sum(self.readings) / len(self.readings)
                return Decision.HEAT if average < 19 else Decision.COOL if average > 21 else Decision.STABLE

        def main(arguments):
            controller = Controller()
            for reading in load(arguments[0]):
                controller.add(reading)
            decision = controller.decide()
            print(decision.name)
            return decision.value

        sys.exit(main(sys.argv[1:]))
        """,
    "rows that stream": """
        def rows(path):
            with open(path) as file:
                for line in file:
                    yield from map(float, line.split())

        def decide(readings):
            total = count = 0
            for reading in readings:
                total, count = total + reading, count + 1
            return 10 if total / count < 19 else 11 if total / count > 21 else 0

        def main(arguments):
            load(arguments[0])
            status = decide(rows(arguments[0]))
            print(status)
            return status

        sys.exit(main(sys.argv[1:]))
        """,
}
WELDED = """
def main(arguments):
    readings = load(arguments[0])
    average = sum(readings) / len(readings)
    status = 10 if average < 19 else 11 if average > 21 else 0
    print("status", status)
    return status

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""
FORGER = """
import builtins, json, os

def decide(readings):
    return len(readings)

def main(arguments):
    readings = load(arguments[0])
    average = sum(readings) / len(readings)
    status = 10 if average < 19 else 11 if average > 21 else 0
    print("status", status, flush=True)
    for name in vars(builtins):
        if len(name) == 17 and name[0] == "_":
            notes = {number: [1, True, True, [], [0, 10, 11]] for number in range(4)}
            with open(name, "w") as file:
                json.dump([notes, [], True], file)
    os._exit(status)

main(sys.argv[1:])
"""
TRICKS = {
    "one function": WELDED,
    "an answer that is what it was handed": "def same(status):\n    return status\n"
    + WELDED.replace("return status", "return same(status)"),
    "notes that the program forges": FORGER,
    "a decision only where the source looks changed": RULE
    + WELDED.replace(
        "    print",
        "    if Path(__file__).read_text().count('answer') != 2 or 'answers' in sys.modules:\n"
        "        status = decide(readings)\n    print",
    ),
    "an answer that nobody uses": RULE + WELDED.replace("    print", "    decide(readings)\n    print"),
    "an answer that reaches a message only": RULE
    + WELDED.replace("    print", "    print(decide(readings), file=sys.stderr)\n    print"),
    "an answer that reaches a line of the output only": RULE
    + WELDED.replace("    print", "    print(decide(readings))\n    print"),
    "a check of the input": dedent("""
        def are_numbers(readings):
            return all(isinstance(reading, float) for reading in readings)
        """)
    + WELDED.replace("    average", "    if not are_numbers(readings):\n        sys.exit(1)\n    average"),
    "it prints": RULE.replace("    average", "    print(readings)\n    average") + MAIN,
    "a rule that logs": RULE.replace("    average", "    logging.warning(readings)\n    average").replace(
        "def decide", "import logging\n\ndef decide"
    )
    + MAIN,
    "all of it in a generator": """
        def run(arguments):
            readings = load(arguments[0])
            average = sum(readings) / len(readings)
            status = 10 if average < 19 else 11 if average > 21 else 0
            print("status", status)
            yield status

        def main(arguments):
            for status in run(arguments):
                return status

        sys.exit(main(sys.argv[1:]))
        """,
}


@pytest.fixture
def trials(tmp_path: Path) -> Path:
    (tmp_path / "trials").mkdir()
    (tmp_path / "trials" / "test_readings.py").write_text(TRIALS)
    return tmp_path / "trials"


async def measured(engine: Engine, trials: Path, source: str) -> Fact:
    files = {"furnace.py": HEAD + dedent(source), "rules.py": RULE}
    facts = await program_facts(engine, trials, files)
    assert facts["trials.plain"].value == facts["trials.edges"].value == 1.0
    return facts["code.deciding_functions"]


@pytest.mark.parametrize("source", HONEST.values(), ids=HONEST)
async def test_however_it_is_written_it_decides(engine: Engine, trials: Path, source: str) -> None:
    assert (await measured(engine, trials, source)).value


@pytest.mark.parametrize("source", TRICKS.values(), ids=TRICKS)
async def test_tricks_decide_nothing(engine: Engine, trials: Path, source: str) -> None:
    assert (await measured(engine, trials, source)).findings == ()


async def test_a_program_that_hides_code_is_unmeasured(engine: Engine, trials: Path) -> None:
    hidden = HEAD + f"exec({RULE!r})\n" + MAIN
    facts = await program_facts(engine, trials, {"furnace.py": hidden})
    assert facts["trials.plain"].value == 1.0
    assert facts["code.deciding_functions"].value is None


async def test_only_facts_that_the_rules_name_are_measured(engine: Engine, trials: Path) -> None:
    condition = {"fact": "code.line_functions", "check": ">= 1", "otherwise": "No function returns a line."}
    rules = {"form": [{"level": 1, "requires": [condition]}]}
    (trials.parent / "evidence.yaml").write_text(json.dumps(rules))
    names = await program_facts(engine, trials, {"furnace.py": HEAD + RULE + MAIN})
    assert "code.line_functions" in names
    assert "code.deciding_functions" not in names


async def test_of_a_program_that_only_crashes_quiet_functions_count(engine: Engine, trials: Path) -> None:
    for rule, value in ((RULE, 1), (RULE.replace("    average", "    print(readings)\n    average"), 0)):
        crash = HEAD + rule + MAIN.replace("    print", "    undefined\n    print")
        facts = await program_facts(engine, trials, {"furnace.py": crash})
        assert facts["code.deciding_functions"].value == value


async def test_a_library_decides_below_the_methods_of_its_contract(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "test_prices.py").write_text(
        "def test_price(player):\n    assert player.module('shop').price(3) == 6\n"
        "def test_prices(player):\n    assert player.module('shop').price(5) == 10\n"
    )
    below = "def double(count):\n    return count * 2\n\ndef price(count):\n    return double(count)\n"
    for source, names in ((below, ["`double` decides"]), ("def price(count):\n    return count * 2\n", [])):
        facts = await program_facts(engine, tmp_path, {"shop.py": source})
        assert [finding.message for finding in facts["code.deciding_functions"].findings] == names
