"""Hollow programs: all the names and signatures of a right one, and no answer."""

import inspect
import types

import pytest

from evalforge.evidence.suite.hollow import hollow_out

RIGHT = """
NOTHING = object()
class LostError(ValueError):
    def __init__(self, place): self.place = place
class Box:
    def __init__(self, size, *, lid=NOTHING): self.size = size
    def put(self, key, value, ttl=NOTHING): return key
    def __len__(self): return 3
    @staticmethod
    def of(*keys: "Key"): return Box(1)
    @property
    def lid(self): return 4
    async def wait(self, seconds=1.5): return 5
def total(rows, /, start=MISSING): return sum(rows)
def double(number: int, *, times: int = 2) -> int: return number * times
"""


@pytest.fixture
def hollow() -> types.ModuleType:
    module = types.ModuleType("box")
    exec(hollow_out({"box.py": RIGHT})["box.py"], vars(module))
    return module


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        *[("put", "(self, key, value, ttl=...)"), ("of", "(*keys: \"'Key'\")"), ("wait", "(self, seconds=1.5)")],
        *[("double", "(number: 'int', *, times: 'int' = 2)"), ("total", "(*given, **named)")],
    ],
)
def test_names_have_their_signatures(hollow: types.ModuleType, name: str, signature: str) -> None:
    function = getattr(hollow.Box, name, None) or getattr(hollow, name)
    assert str(inspect.signature(function)).replace(repr(hollow.NOTHING), "...") == signature


def test_nothing_is_answered(hollow: types.ModuleType) -> None:
    box = hollow.Box(2, lid=3)
    assert (len(box), list(box.put(1, 2)), list(box.lid), list(hollow.double(4))) == (0, [], [], [])
    assert hollow.LostError("here").place == "here"
    with pytest.raises(TypeError):
        box.put(1, 2, 3, 4)
