"""Short steps that stand twice under other names, and what only looks like them."""

import textwrap

import pytest

from evalforge.evidence.static import read_code
from evalforge.model.evidence import Fact
from tests import factories

CHECK_TWICE = """
class Gate:
    def __init__(self, limit):
        if not isinstance(limit, int):
            raise TypeError("limit is a number")
        if limit < 1:
            raise ValueError("limit is at least 1")
        self._limit = limit

    def set_limit(self, wanted):
        if not isinstance(wanted, int):
            raise TypeError("a number, please")
        if wanted < 1:
            raise ValueError("too low")
        self._limit = wanted
"""
CLEAN_UP_TWICE = """
def read(path, log):
    try:
        return path.read_text()
    except OSError as error:
        log.append(str(error))
        path.unlink(missing_ok=True)
        log.append("gone")
        raise

def write(place, notes):
    try:
        place.write_text("1")
    except OSError as failure:
        notes.append(str(failure))
        place.unlink(missing_ok=True)
        notes.append("away")
        raise
"""
PUT_AND_GET = """
class Store:
    def put(self, key, value):
        with self._lock:
            self._items[key] = value

    def get(self, key):
        with self._lock:
            return self._items[key]
"""
SMALL_METHODS = """
class Stack:
    def clear(self, size):
        self.items = []

    def length(self):
        return len(self.items)

    def put(self, item):
        self.items.append(item)

    def get(self):
        return self.items.pop()


class Line:
    def clear(self, size):
        self.items = []

    def length(self):
        return len(self.items)

    def put(self, item):
        self.items.append(item)

    def get(self):
        return self.items.popleft()
"""
OTHER_CALLS = CHECK_TWICE.replace("wanted < 1", "wanted <= 0").replace("isinstance(wanted, int)", "callable(wanted)")
OPTIONS = """
def options(parser):
    parser.add_argument("--in", help="what is read", required=True)
    parser.add_argument("--out", help="what is written", required=True)
    parser.add_argument("--log", help="what is noted", required=True)
    parser.add_argument("--end", help="when it ends", required=True)
    parser.add_argument("--all", help="whether all", required=True)
"""


def duplicates(text: str) -> Fact:
    facts = {fact.name: fact for fact in read_code(factories.submission(program=textwrap.dedent(text)))}
    return facts["code.duplicate_blocks"]


@pytest.mark.parametrize("text", [CHECK_TWICE, CLEAN_UP_TWICE], ids=["check", "clean-up"])
def test_steps_that_stand_twice_are_found(text: str):
    found = duplicates(text)
    assert found.value == 1
    assert "repeat program.py:" in found.findings[0].message


@pytest.mark.parametrize(
    "text",
    [PUT_AND_GET, OTHER_CALLS, OPTIONS, SMALL_METHODS],
    ids=["put and get", "other calls", "options", "small methods"],
)
def test_what_is_merely_similar_is_not(text: str):
    assert duplicates(text).value == 0


def test_a_long_repetition_is_counted_once():
    body = "\n".join(f"    total += amount * {number} - fee" for number in range(3, 12))
    text = f"def one(amount, fee):\n    total = 0\n{body}\n    return total\n\n"
    assert duplicates(text + text.replace("one", "two")).value == 1
