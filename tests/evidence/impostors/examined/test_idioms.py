"""The forty-seven idioms beside other programs: each lets the right ones pass, and unmasks every impostor."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from evalforge.sandbox.client import Host
from evalforge.sandbox.player_test_host import PlayerTestHost
from tests import till
from tests.evidence.conftest import CLASSIFY
from tests.evidence.test_idioms import IDIOMS, TOOL

CONTRACT = """\
MODULE
  Write `classify.py`. `classify(value, limit)` answers. It starts as `python classify.py VALUE LIMIT` as well.
ANSWERS
  "low" below the limit, "high" from the limit on. What can't be compared raises a TypeError.
"""
TABLE = """
ANSWERS = ("high", "low")

def classify(value, limit):
    return ANSWERS[value < limit]
"""
PROGRAMS = {
    "plain": {"classify.py": TOOL},
    "table": {
        "classify/__init__.py": "from .table import classify\n",
        "classify/__main__.py": "import sys\nfrom classify import classify\nprint(classify(*map(int, sys.argv[1:])))\n",
        "classify/table.py": TABLE,
    },
}
CHANGES: till.Changes = {
    "edge": ("plain", "ANSWERS", "classify.py", "value < limit", "value <= limit"),
    "turned": ("plain", "ANSWERS", "classify.py", "value < limit", "value > limit"),
    "word": ("plain", "ANSWERS", "classify.py", 'return "high"', 'return "High"'),
    "always": ("table", "ANSWERS", "classify/table.py", "ANSWERS[value < limit]", "ANSWERS[True]"),
    "capital": ("table", "ANSWERS", "classify/table.py", '"high", "low"', '"high", "Low"'),
}
Meet = Callable[[dict[str, str]], till.Meeting]


@pytest.fixture(scope="module")
def meet_classify(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Meet]:
    """Have the tests of a hand-in meet two right programs that classify, and five impostors."""
    host = Host()
    beside = [PlayerTestHost(host), PlayerTestHost(host)]
    source = till.write_boss(tmp_path_factory.mktemp("pack"), "classify", CONTRACT, PROGRAMS, CHANGES)
    yield partial(till.meet, beside, source)
    for each in (*beside, host):
        each.shut_down()


@pytest.mark.parametrize("idiom", IDIOMS)
def test_any_idiom_unmasks_every_impostor(meet_classify: Meet, idiom: str) -> None:
    written = IDIOMS[idiom]
    meeting = meet_classify(
        {"classify.py": CLASSIFY, **(written if isinstance(written, dict) else {"test_it.py": written})}
    )
    assert meeting.count("wrong_expectations", "wavering", "inner") == [0, 0, 0], meeting.said
    assert meeting.unmasked == set(CHANGES), meeting.said
