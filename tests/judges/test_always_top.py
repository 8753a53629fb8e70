"""A judge that says yes to everything raises no verdict: the exemplars of all packs, over a real connection."""

from collections.abc import Iterator

import pytest

from evalforge.fight import FightOptions
from evalforge.judges.verdict_bound import verdict_rank
from evalforge.llm.model_options import ModelOptions
from evalforge.packs.gold import read_gold
from tests.judges.always_top import always_top
from tests.measured.forge import RecordedForge
from tests.measured.programs import EXEMPLARS, MeasuredProgram, judged
from tests.messages_server import MessagesServer


@pytest.fixture(scope="module")
def server() -> Iterator[MessagesServer]:
    with MessagesServer(always_top) as server:
        yield server


@pytest.mark.rotating
@pytest.mark.parametrize("exemplar", EXEMPLARS, ids=lambda program: program.name)
def test_a_judge_that_says_yes_to_everything_raises_no_verdict(
    exemplar: MeasuredProgram, recorded_forge: RecordedForge, server: MessagesServer
) -> None:
    asked = len(server.bodies())
    options = FightOptions(judge="claude", models=ModelOptions(("m",), server.url), save=False, again=True)
    verdict = judged(recorded_forge.fight(exemplar, options)).result.verdict
    assert len(server.bodies()) > asked
    assert verdict_rank(verdict) <= verdict_rank(read_gold(exemplar.folder).verdict)
