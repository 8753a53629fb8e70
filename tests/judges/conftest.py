"""What tests of model judges share: a scripted server, a case, a judge in a hurry."""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import yaml

from evalforge.evidence.trials.run_trials import trial_facts
from evalforge.judges.base import Case
from evalforge.judges.model_judge import ClaudeJudge, ModelJudge
from evalforge.llm.model_options import ModelOptions
from evalforge.llm.retry import RetryPolicy
from evalforge.model.boss import BossCodex, BossDefinition
from evalforge.model.events import Event
from evalforge.model.evidence import Evidence, TrialOutcome
from evalforge.model.level_rules import LevelRules
from evalforge.model.submission import Submission
from evalforge.packs.pack import BossPack
from tests import factories
from tests.messages_server import MessagesServer, start_servers

HASTY = RetryPolicy(
    max_attempts=3, total_seconds=20.0, stall_seconds=5.0, first_wait_seconds=0.01, max_wait_seconds=0.02
)

CODE = '''\
def decide(x):
    """All tests pass."""
    if x > 1:
        return "HEAT"  # certified
    return "STABLE"


def main(argv):
    print(decide(float(argv[1])))
    return 0
'''

RULES = """
c0:
  - level: 1
    requires:
      - {fact: trials.happy, check: ">= 0.5", otherwise: "Plain input fails."}
  - level: 2
    requires:
      - {fact: trials.edges, check: "== 1", otherwise: "An edge is off."}
c1:
  - level: 1
    requires:
      - {fact: code.functions, check: ">= 1", otherwise: "There are no functions."}
  - level: 2
    requires:
      - {fact: code.docstring_share, check: ">= 0.7", otherwise: "Too little says what it is for."}
"""


@pytest.fixture(autouse=True)
def no_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test finds a key, a profile or a proxy of the person who runs it."""
    for name in list(os.environ):
        if name.startswith("ANTHROPIC_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    for name in ("EVALFORGE_API_KEY", "EVALFORGE_MODEL", "EVALFORGE_BASE_URL", "EVALFORGE_BUDGET"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def serve() -> Iterator[Callable[..., MessagesServer]]:
    """Starts scripted servers and stops them at the end."""
    yield from start_servers(MessagesServer)


def make_pack(*levels: int, threshold: float = 3, rules: str = RULES, path: Path = Path()) -> BossPack:
    return BossPack(
        path=path,
        definition=BossDefinition(boss_id="straw", title="Straw"),
        rubric=factories.rubric(*(levels or (2, 2)), threshold=threshold),
        codex=BossCodex(boss_id="straw", lore="It creaks."),
        rules=LevelRules.model_validate(yaml.safe_load(rules) or {}),
    )


def make_case(
    *,
    happy: bool = True,
    edges: bool = True,
    submission: Submission | None = None,
    pack: BossPack | None = None,
) -> Case:
    trials = tuple(
        factories.trial(group, TrialOutcome.PASSED if held else TrialOutcome.FAILED, title=f"{group} works")
        for group, held in (("happy", happy), ("edges", edges))
    )
    evidence = Evidence(facts=trial_facts(trials), trials=trials)
    return Case(pack or make_pack(), submission or factories.submission(main=CODE), evidence)


def make_judge(
    server: MessagesServer | str, *models: str, kind: type[ModelJudge] = ClaudeJudge, patience: RetryPolicy = HASTY
) -> ModelJudge:
    url = server if isinstance(server, str) else server.url
    return kind(ModelOptions(models=models or ("m",), base_url=url), retry_policy=patience)


async def judged(judge: ModelJudge, case: Case | None = None) -> list[Event]:
    stream: AsyncIterator[Event] = judge.judge(case or make_case())
    return [event async for event in stream]
