"""A copy of the program among its tests shares the program's mutants; what somebody wrote anew stays as it is."""

import ast
import textwrap

import pytest

from evalforge.evidence.suite.candidates import find_mutants
from evalforge.evidence.suite.copies import Definition, FileNames, FunctionCopies
from evalforge.evidence.suite.mutant import Mutant
from tests.evidence.conftest import Examine, messages

TILL = '''
import math
from collections import deque

LIMIT = 100

class Till:
    """What is in a till."""

    def __init__(self, coins: list[int] | None = None):
        self.coins = deque(coins or [])
        self._taken = 0

    def change(self, price: int, given: int) -> list[int]:
        """The coins to give back."""
        if price < 0 or given > LIMIT:
            raise ValueError("no such sum")
        left = math.floor(given - price)
        back = []
        for coin in sorted(self.coins, reverse=True):
            if coin <= left:
                left -= coin
                back.append(coin)
        self._taken += len(back)
        return back if left == 0 else []
'''
OTHER_WORDS = """
import math as m
from collections import deque as line

class Oracle:
    def change(this, cost, paid):
        if cost < 0 or paid > MOST:
            raise ValueError("no such sum")
        rest = m.floor(paid - cost)
        found = []
        for piece in sorted(this.stock, reverse=True):
            if piece <= rest:
                rest -= piece
                found.append(piece)
        this._count += len(found)
        return found if rest == 0 else []

    def __init__(this, stock=None):
        this.stock = line(stock or [])
        this._count = 0

MOST = 100
"""
ANEW = """
from itertools import combinations

class Oracle:
    def __init__(self, coins):
        self.coins = coins

    def change(self, price, given):
        if price < 0 or given > 100:
            raise ValueError("no such sum")
        back, left = [], given - price
        for coin in sorted(self.coins)[::-1]:
            back += [coin] if sum(back) + coin <= left else []
        return back if sum(back) == left else []
"""
TESTS = """
import pytest
from oracle import Oracle
from till import Till

CASES = [(3, 10), (0, 100), (5, 5), (7, 8), (1, 9), (2, 60), (-1, 5), (4, 101)]

def answer(kind, price, given):
    till = kind([1, 2, 2, 5, 10, 50])
    try:
        return till.change(price, given)
    except ValueError:
        return "refused"

@pytest.mark.parametrize("price, given", CASES)
def test_change(price, given):
    assert answer(Till, price, given) == answer(Oracle, price, given)
"""


def is_same(one: str, other: str) -> bool:
    trees = [ast.parse(textwrap.dedent(text)) for text in (one, other)]
    keys = [Definition(tree.body[-1], FileNames(tree)).key for tree in trees]
    return keys[0] == keys[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a, b): return a - b", "def g(x, y): return x - y"),
        ("def f(a: int = 3) -> int: return a", "def f(a=3): return a"),
        ('def f(a):\n    """Words."""\n    return a', "def f(a): return a"),
        ("def f(a):\n    b: int = a\n    c: int\n    return b", "def f(a):\n    b = a\n    return b"),
        ("def f(self): self.coins = []", "def f(this): this.stock = []"),
        ("def f(list): return list", "def f(a): return a"),
        ("import math\ndef f(a): return math.ceil(a)", "import math as m\ndef f(a): return m.ceil(a)"),
        ("from os import sep\ndef f(): return sep", "from os import sep as s\ndef f(): return s"),
        (
            "def f(a):\n    try: pass\n    except OSError as e: raise e",
            "def f(a):\n    try: pass\n    except OSError as x: raise x",
        ),
    ],
)
def test_a_function_stays_the_same_under_other_names(one: str, other: str) -> None:
    assert is_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a, b): return a - b", "def f(a, b): return b - a"),
        ("def f(a): return a + 1", "def f(a): return a + 2"),
        ("def f(a): return a + 1", "def f(a): return a + 1.0"),
        ("def f(a): return a < 1", "def f(a): return a <= 1"),
        ("def f(a): return min(a)", "def f(a): return max(a)"),
        ("def f(a): return a.upper()", "def f(a): return a.lower()"),
        ("def f(a): return sorted(a, key=str)", "def f(a): return sorted(a, reverse=str)"),
        ("import math\ndef f(a): return math.ceil(a)", "import math\ndef f(a): return math.floor(a)"),
        ("from math import ceil\ndef f(a): return ceil(a)", "from math import floor\ndef f(a): return floor(a)"),
        ("def f(a): return a", "async def f(a): return a"),
        ("def f(a): return None", "def f(a): return"),
    ],
)
def test_a_function_that_does_something_else_is_another(one: str, other: str) -> None:
    assert not is_same(one, other)


def mutants_with_copies(program: str, oracle: str) -> list[Mutant]:
    copies = FunctionCopies({"till.py": program, "oracle.py": oracle}, lambda path, line: path == "till.py")
    return [copies.with_copies(mutant) for mutant in find_mutants("till.py", program)[0]]


def changed(content: str, mutant: Mutant) -> str:
    data = content.encode()
    return (data[: mutant.start] + mutant.replacement.encode() + data[mutant.end :]).decode()


def function_keys(original: str, wrong: str) -> set[object]:
    names = FileNames(ast.parse(original))
    return {Definition(node, names).key for node in ast.walk(ast.parse(wrong)) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("oracle", [TILL, OTHER_WORDS])
def test_each_mutant_changes_the_copy_in_the_same_way(oracle: str) -> None:
    mutants = mutants_with_copies(TILL, oracle)
    assert len(mutants) > 15
    for mutant in mutants:
        (copy,) = mutant.copies
        keys = [function_keys(TILL, changed(TILL, mutant)), function_keys(oracle, changed(oracle, copy))]
        assert keys[0] == keys[1], mutant.description
        assert changed(oracle, copy).count("\n") == oracle.count("\n")
        assert changed(oracle, copy.reverted()) == oracle


@pytest.mark.parametrize("oracle", [ANEW, "def double(n): return n * 2\n", "def broken(:\n", ""])
def test_what_is_no_copy_is_left_alone(oracle: str) -> None:
    assert not any(mutant.copies for mutant in mutants_with_copies(TILL + "def double(n): return n * 2\n", oracle))


@pytest.mark.parametrize("oracle", [TILL.replace("class Till", "class Oracle"), OTHER_WORDS])
def test_a_copy_as_oracle_notices_nothing(examine: Examine, oracle: str) -> None:
    facts = examine(till=TILL, tests__test_till=TESTS, tests__oracle=oracle)
    score = facts["tests.mutation_score"]
    assert score.value == 0.0, messages(score)
    assert "in your program and in its copy at tests/oracle.py:" in messages(score)
    assert "The tests contain a copy of your program's code" in messages(facts["tests.vacuous"])


def test_a_copy_that_answers_during_loading_notices_nothing(examine: Examine) -> None:
    text = f"{OTHER_WORDS}{TESTS.replace('from oracle import Oracle', '')}"
    text = text.replace("@pytest", "WANTED = {case: answer(Oracle, *case) for case in CASES}\n\n@pytest")
    text = text.replace("answer(Oracle, price, given)", "WANTED[price, given]")
    score = examine(till=TILL, test_till=text)["tests.mutation_score"]
    assert score.value == 0.0, messages(score)


def test_an_oracle_that_was_written_anew_notices_faults(examine: Examine) -> None:
    score = examine(till=TILL, test_till=TESTS, oracle=ANEW)["tests.mutation_score"]
    assert isinstance(score.value, float)
    assert score.value > 0.5, messages(score)
