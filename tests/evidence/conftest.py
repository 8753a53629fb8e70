"""What tests of evidence share: a host for the player's tests, and what is measured there."""

import textwrap
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from evalforge.evidence.engine import Engine
from evalforge.evidence.suite.examination import PlayerTestExamination
from evalforge.model.evidence import Fact
from evalforge.model.submission import Submission
from evalforge.sandbox.client import Host
from evalforge.sandbox.player_test_host import PlayerTestHost, SuiteLimits
from tests.warm_engine import EnginePool, LentEngine

Facts = dict[str, Fact]
Examine = Callable[..., Facts]

CLASSIFY = """
def classify(value, limit):
    if value < limit:
        return "low"
    return "high"
"""
# `value < limit` has three faults (<=, >, turned round), each string two ("?" added, None): seven in all.
CLASSIFY_FAULTS = 7


@pytest.fixture
async def engine(engines: EnginePool) -> AsyncIterator[LentEngine | Engine]:
    """An engine that is warm."""
    warm = engines.lend()
    yield warm
    await warm.close()


@pytest.fixture(scope="module")
def program_host() -> Iterator[Host]:
    host = Host()
    yield host
    host.shut_down()


@pytest.fixture(scope="module")
def test_host(program_host: Host) -> Iterator[PlayerTestHost]:
    beside = PlayerTestHost(program_host)
    yield beside
    beside.shut_down()


@pytest.fixture(scope="module")
def impatient_host(program_host: Host) -> Iterator[PlayerTestHost]:
    """A host that waits for tests hardly longer than good ones take."""
    beside = PlayerTestHost(program_host, SuiteLimits(test_seconds=0.5, load_seconds=1.0))
    yield beside
    beside.shut_down()


@pytest.fixture
def examine(test_host: PlayerTestHost) -> Examine:
    return _examination(test_host)


@pytest.fixture
def examine_impatiently(impatient_host: PlayerTestHost) -> Examine:
    """For tests that hang."""
    return _examination(impatient_host)


def _examination(test_host: PlayerTestHost) -> Examine:
    def run(paths: dict[str, str] | None = None, /, **names: str) -> Facts:
        texts = {**(paths or {}), **{name.replace("__", "/") + ".py": text for name, text in names.items()}}
        submission = Submission.of({path: textwrap.dedent(text) for path, text in texts.items()})
        with PlayerTestExamination([test_host], submission) as examination:
            return {fact.name: fact for fact in examination.result().facts}

    return run


def messages(fact: Fact) -> str:
    return "\n".join(f"{finding.place}: {finding.message}" for finding in fact.findings)
