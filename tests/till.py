"""A small boss for tests that meet other programs: two right programs of different layout, and six impostors."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import dedent

from evalforge.evidence.suite.impostor_facts import ImpostorMeasurement
from evalforge.evidence.suite.impostors import ImpostorSource, meet_impostors
from evalforge.evidence.suite.run import Suite, find_suite
from evalforge.model.evidence import Fact, ImpostorFate
from evalforge.model.submission import Submission
from evalforge.sandbox.player_test_host import PlayerTestHost

Changes = Mapping[str, tuple[str, str, str, str, str]]
"""By an impostor's id: its right program, the clause, the file, and what is replaced by what."""
CONTRACT = """\
MODULE
  Write `till.py`. It starts as `python till.py AMOUNT...` and as `python -m till AMOUNT...`.
CLASS
  `Till(limit=100)` has `add(amount)`, `undo()`, `entries()` and `total`; `TillError` says what is refused.
AMOUNTS
  An amount is positive. The total never passes the limit, but may reach it.
UNDO
  `undo()` takes the last amount back and returns the total; with nothing to take back it is refused.
EXIT STATUS
  0 with the total printed; 2 where an amount is refused. `main(argv)` returns it.
"""
SECRET = "marked by a sentence that no test may ever see"
FILE = f'''\
"""A till: {SECRET}."""
import sys


class TillError(Exception):
    """What is refused: {SECRET}."""


class Till:
    """Amounts: {SECRET}."""

    def __init__(self, limit=100):
        self.limit = limit
        self.total = 0
        self._log = []

    def add(self, amount):
        """Add: {SECRET}."""
        if amount <= 0:
            raise TillError("an amount is positive")
        if self.total + amount > self.limit:
            raise TillError("that is over the limit")
        self.total += amount
        self._log.append(amount)
        return self.total

    def undo(self):
        if not self._log:
            raise TillError("there is nothing to undo")
        self.total -= self._log.pop()
        return self.total

    def entries(self):
        return list(self._log)


def main(argv=None):
    till = Till()
    try:
        for word in sys.argv[1:] if argv is None else argv:
            till.add(int(word))
    except (TillError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    print(till.total)
    return 0


if __name__ == "__main__":
    sys.exit(main())
'''
PACKAGE = {
    "till/__init__.py": f'"""A till: {SECRET}."""\nfrom .book import Till, TillError\nfrom .command import main\n',
    "till/__main__.py": """\
import os, sys
if not __package__:
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
from till.command import main
sys.exit(main())
""",
    "till/book.py": """\
LIMIT = 100


class TillError(Exception):
    pass


class Till:
    def __init__(self, limit=LIMIT):
        self.limit = limit
        self.amounts = []

    @property
    def total(self):
        return sum(self.amounts)

    def add(self, amount):
        wanted = self.total + amount
        if amount < 1 or wanted > self.limit:
            raise TillError("refused")
        self.amounts.append(amount)
        return wanted

    def undo(self):
        if self.amounts:
            self.amounts.pop()
            return self.total
        raise TillError("empty")

    def entries(self):
        return self.amounts[:]
""",
    "till/command.py": """\
import sys
from .book import Till, TillError


def main(argv=None):
    till = Till()
    words = sys.argv[1:] if argv is None else argv
    for word in words:
        try:
            till.add(int(word))
        except (TillError, ValueError):
            sys.stderr.write("refused\\n")
            return 2
    sys.stdout.write(f"{till.total}\\n")
    return 0
""",
}
_ENDLESS = "        while not self.amounts: pass\n        if self.amounts:"
_CHANGES: Changes = {
    "zero": ("file", "AMOUNTS", "till.py", "if amount <= 0:", "if amount < 0:"),
    "edge": ("file", "AMOUNTS", "till.py", "amount > self.limit:", "amount >= self.limit:"),
    "keeps": ("file", "UNDO", "till.py", "self.total -= self._log.pop()", "self._log.pop()"),
    "status": ("package", "EXIT STATUS", "till/command.py", "return 2", "return 1"),
    "ceiling": ("package", "CLASS", "till/book.py", "LIMIT = 100", "LIMIT = 1000"),
    "endless": ("package", "UNDO", "till/book.py", "        if self.amounts:", _ENDLESS),
}  # fmt: skip
IMPOSTORS = tuple(_CHANGES)
HONEST = """
    import subprocess, sys
    import pytest
    from till import Till, TillError, main

    def test_zero_is_refused():
        with pytest.raises(TillError):
            Till().add(0)

    def test_the_limit_may_be_reached():
        assert Till(limit=5).add(5) == 5

    def test_the_limit_is_a_hundred():
        with pytest.raises(TillError):
            Till().add(101)

    def test_undo_takes_back():
        till = Till()
        till.add(3)
        assert till.undo() == 0 and till.total == 0

    def test_nothing_to_undo():
        with pytest.raises(TillError):
            Till().undo()

    def test_the_status_of_what_is_refused():
        assert main(["-3"]) == 2
"""
"""A suite that unmasks all six."""
WEAK = """
    from till import Till, main

    def test_two_amounts_add_up():
        till = Till()
        till.add(1)
        assert till.add(2) == 3 and till.undo() == 1
        assert till.entries() == [1]

    def test_a_refused_word():
        assert main(["x"]) != 0

    def test_an_import():
        assert Till().limit
"""
"""A suite that unmasks one, and runs a line of each impostor but `endless`."""


def write_pack(folder: Path) -> ImpostorSource:
    """Write the boss's folder."""
    return write_boss(folder, "till", CONTRACT, {"file": {"till.py": FILE}, "package": PACKAGE}, _CHANGES)


def write_boss(
    folder: Path, module: str, contract: str, programs: Mapping[str, Mapping[str, str]], changes: Changes
) -> ImpostorSource:
    """Write the folder of a boss whose program is a module of this name."""
    for name, files in programs.items():
        for path, source in files.items():
            target = folder / "impostors" / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(source, encoding="utf-8")
    listed = {
        "right": [{"name": name, "folder": name, "design": f"A {name}."} for name in programs],
        "impostors": [
            {
                "id": name,
                "of": of,
                "owner": "tests",
                "level": 0,
                "clause": clause,
                "says": f"The contract on {name}.",
                "fault": "",
                "riddle": f"The riddle of {name}.",
                "change": [{"file": file, "old": old, "new": new}],
            }
            for name, (of, clause, file, old, new) in changes.items()
        ],
    }
    (folder / "impostors/impostors.json").write_text(json.dumps(listed))
    texts = dict.fromkeys(("boss_id", "title", "short_description", "long_description"), module)
    (folder / "boss.json").write_text(json.dumps({**texts, "metadata": {"contract": contract}}))
    return ImpostorSource(folder, (f"{module}.py",))


@dataclass(frozen=True)
class Meeting:
    """What came of a suite that met the boss's programs."""

    measurement: ImpostorMeasurement

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """The facts, by name without ``tests.``."""
        return {fact.name.removeprefix("tests."): fact for fact in self.measurement.facts()}

    def with_fate(self, fate: ImpostorFate) -> set[str]:
        """The impostors of one fate."""
        return {result.id for result in self.measurement.results if result.fate is fate}

    @property
    def unmasked(self) -> set[str]:
        """Who was unmasked."""
        return self.with_fate(ImpostorFate.UNMASKED)

    def named(self, fact: str) -> list[tuple[str, int | None]]:
        """The tests that a fact names, each with its line."""
        return [(finding.message.split("`")[1], finding.line) for finding in self.facts[fact].findings]

    def count(self, *facts: str) -> Sequence[float | str | bool | None]:
        """The values of some facts."""
        return [self.facts[fact].value for fact in facts]

    @property
    def said(self) -> str:
        """Everything that leaves."""
        return repr((self.measurement.facts(), self.measurement.results))


def submission_of(files: dict[str, str]) -> Submission:
    """A hand-in; the sources are dedented."""
    return Submission.of({path: dedent(text) for path, text in files.items()})


def meet(hosts: Sequence[PlayerTestHost], source: ImpostorSource, files: dict[str, str]) -> Meeting:
    """Have a hand-in's tests meet the boss."""
    return Meeting(meet_impostors(find_suite(Suite(hosts, submission_of(files))), source))
