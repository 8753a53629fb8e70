"""State is shared if a call misses what another one left, through whatever door both reach it."""

from pathlib import Path
from textwrap import dedent

import pytest

from evalforge.evidence.engine import Engine
from evalforge.model.evidence import Fact
from tests.evidence.effects.program_facts import program_facts

TRIALS = '''
def test_words(player):
    """A list keeps its words."""
    words = player.module("words").Words()
    words.add("ash")
    words.add("elm")
    assert words.all() == ["ash", "elm"]
'''
SHARED = {
    "module": "ROWS = []\nclass Words:\n    def add(self, word): ROWS.append(word)\n    def all(self): return ROWS[:]",
    "global": """
        rows = ()
        class Words:
            def add(self, word):
                global rows
                rows += (word,)
            def all(self): return list(rows)
        """,
    "class": """
        class Words:
            rows = []
            def add(self, word): self.rows.append(word)
            def all(self): return self.rows[:]
        """,
    "attribute of the class": """
        class Words:
            rows = ()
            def add(self, word): type(self).rows += (word,)
            def all(self): return list(self.rows)
        """,
    "default": """
        class Words:
            def __init__(self, rows=[]): self.rows = rows
            def add(self, word): self.rows.append(word)
            def all(self): return self.rows[:]
        """,
    "default by name": """
        def keep(word=None, *, rows={}):
            rows.update({word: 1} if word else {})
            return list(rows)
        class Words:
            def add(self, word): keep(word)
            def all(self): return keep()
        """,
    "cached": """
        import functools
        @functools.cache
        def rows(kind): return []
        class Words:
            def __init__(self): self.rows = rows(type(self))
            def add(self, word): self.rows.append(word)
            def all(self): return self.rows[:]
        """,
    "closure": """
        def keeper():
            rows = ()
            def keep(*words):
                nonlocal rows
                rows += words
                return list(rows)
            return keep
        keep = keeper()
        class Words:
            def add(self, word): keep(word)
            def all(self): return keep()
        """,
    "attribute of a function": """
        class Words:
            def add(self, word): rows.kept.append(word)
            def all(self): return rows()
        def rows(): return rows.kept[:]
        rows.kept = []
        """,
    "an object": """
        class Shelf:
            __slots__ = ("rows",)
        SHELF = Shelf()
        SHELF.rows = ()
        class Words:
            def add(self, word): SHELF.rows += (word,)
            def all(self): return list(SHELF.rows)
        """,
    "globals": """
        class Words:
            def add(self, word): globals().setdefault("rows", []).append(word)
            def all(self): return globals()["rows"][:]
        rows = []
        """,
    "another module": """
        import settings
        class Words:
            def add(self, word): settings.rows = (*settings.rows, word)
            def all(self): return list(settings.rows)
        """,
}
OWN = {
    "of each object": """
        class Words:
            def __init__(self): self.rows = []
            def add(self, word): self.rows.append(word)
            def all(self): return self.rows[:]
        """,
    "memo": """
        import functools
        SEEN = {}
        def plain(word):
            if word not in SEEN: SEEN[word] = word.strip()
            return SEEN[word]
        @functools.lru_cache(1)
        def lower(word): return word.lower()
        class Words:
            def __init__(self): self.rows = []
            def add(self, word): self.rows.append(lower(plain(word)))
            def all(self): return self.rows[:]
        """,
    "registry": """
        KINDS = {}
        def kind(name):
            def add(maker):
                KINDS[name] = maker
                return maker
            return add
        class Base:
            kinds = []
            def __init_subclass__(cls): Base.kinds.append(cls)
        @kind("plain")
        def plain(word): return word
        class Words(Base):
            def __init__(self): self.rows = []
            def add(self, word): self.rows.append(KINDS["plain"](word))
            def all(self): return self.rows[:]
        """,
    "note of calls": """
        calls = 0
        class Words:
            def __init__(self): self.rows = []
            def add(self, word):
                global calls
                calls += 1
                self.rows.append(word)
            def all(self): return self.rows[:]
        """,
    "template read once": """
        text = None
        def template():
            global text
            if text is None: text = "{}"
            return text
        class Words:
            def __init__(self): self.rows = []
            def add(self, word): self.rows.append(template().format(word))
            def all(self): return self.rows[:]
        """,
}
SCRIPT_TRIALS = '''
def test_sum(cli):
    """It adds what it is given."""
    assert cli(stdin="3\\n4\\n").stdout == "7\\n"
'''
SCRIPTS = {
    "a total for all": (
        1,
        """
        import sys
        total = 0
        def add(number):
            global total
            total += number
        def main():
            for line in sys.stdin:
                add(int(line))
            print(total)
        main()
        """,
    ),
    "without a main function": (
        1,
        """
        import sys
        rows = []
        def add(number): rows.append(number)
        for line in sys.stdin:
            add(int(line))
        print(sum(rows))
        """,
    ),
    "what its own body collects": (
        0,
        """
        import sys
        rows = []
        def number(text): return int(text)
        for line in sys.stdin:
            rows.append(number(line))
        def total(): return sum(rows)
        print(total())
        """,
    ),
    "commands": (
        0,
        """
        import sys
        COMMANDS = {}
        def command(function):
            COMMANDS[function.__name__] = function
            return function
        @command
        def add(lines): return sum(map(int, lines))
        def main(): print(COMMANDS["add"](sys.stdin))
        if __name__ == "__main__":
            main()
        """,
    ),
}


async def shared_state(engine: Engine, folder: Path, trials: str, name: str, source: str) -> Fact:
    (folder / "test_words.py").write_text(trials)
    files = {name: dedent(source), "settings.py": "rows = ()\n"}
    facts = await program_facts(engine, folder, files)
    assert facts["trials.all"].value == 1.0
    return facts["code.shared_state"]


@pytest.mark.parametrize("source", SHARED.values(), ids=SHARED)
async def test_what_calls_share_is_found(engine: Engine, tmp_path: Path, source: str) -> None:
    assert (await shared_state(engine, tmp_path, TRIALS, "words.py", source)).value


@pytest.mark.parametrize("source", OWN.values(), ids=OWN)
async def test_what_nobody_misses_is_no_shared_state(engine: Engine, tmp_path: Path, source: str) -> None:
    assert (await shared_state(engine, tmp_path, TRIALS, "words.py", source)).findings == ()


@pytest.mark.parametrize(("value", "source"), SCRIPTS.values(), ids=SCRIPTS)
async def test_the_functions_of_a_script_share_its_names(
    engine: Engine, tmp_path: Path, value: int, source: str
) -> None:
    assert (await shared_state(engine, tmp_path, SCRIPT_TRIALS, "total.py", source)).value == value


async def test_a_finding_names_it_and_its_place(engine: Engine, tmp_path: Path) -> None:
    fact = await shared_state(engine, tmp_path, TRIALS, "words.py", SHARED["module"])
    assert [(finding.path, finding.line) for finding in fact.findings] == [("words.py", 1)]
    assert fact.findings[0].message.startswith("`ROWS` outlives a call")
