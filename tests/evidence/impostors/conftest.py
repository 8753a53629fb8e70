"""A host for the tests of hand-ins, and a small boss that those meet."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from evalforge.sandbox.client import Host
from evalforge.sandbox.player_test_host import PlayerTestHost
from tests import till


@pytest.fixture(scope="module")
def meet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[dict[str, str]], till.Meeting]]:
    """Have the tests of a hand-in meet the till's right programs and impostors."""
    host = Host()
    beside = [PlayerTestHost(host), PlayerTestHost(host)]
    yield partial(till.meet, beside, till.write_pack(tmp_path_factory.mktemp("pack")))
    for each in (*beside, host):
        each.shut_down()
