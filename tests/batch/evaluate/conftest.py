"""What these tests share: judges on loopback, items, and an evaluation in a hurry."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from evalforge.batch.evaluate.engines.message_batches import Pace
from evalforge.batch.evaluate.items import Population, population_of
from evalforge.batch.evaluate.result import Evaluation
from evalforge.batch.evaluate.run import evaluate
from evalforge.batch.evaluate.setting import Setting
from evalforge.batch.evaluate.spec import JudgeSpec, Spec
from evalforge.judges.call import Patience
from evalforge.judges.options import ModelOptions
from tests.batch.evaluate.server import JudgeServer

HASTY = Patience(tries=3, deadline=30.0, stall=10.0, first_wait=0.01, longest_wait=0.02)
RUBRIC = "Rate each text from 1-5 for clarity."
Serve = Callable[..., JudgeServer]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stands between a test and its server."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts judges and stops them at the end."""
    with ExitStack() as stack:
        yield lambda *judge, **more: stack.enter_context(JudgeServer(*judge, **more))


def population(count: int = 10, **more: Any) -> Population:
    return population_of({"items": [{"item_id": f"i{n}", "text": f"text {n}"} for n in range(count)], **more})


def make_spec(**judge: Any) -> Spec:
    return Spec("straw", JudgeSpec.model_validate({"rubric": RUBRIC, "model": "m", **judge}))


def make_setting(server: JudgeServer | str, **more: Any) -> Setting:
    url = server if isinstance(server, str) else server.url
    return Setting(ModelOptions(base_url=url), **{"patience": HASTY, "pace": Pace(0.005, 0.02, 20.0), **more})


async def evaluated(
    server: JudgeServer | str, items: Population | Path | None = None, spec: Spec | None = None, **setting: Any
) -> Evaluation:
    return await evaluate(spec or make_spec(sample_size=None), make_setting(server, **setting), items or population())


def priced(home: Path, rate: float = 10.0) -> None:
    (home / "prices.toml").write_text(f"[models]\nm = {{ input = {rate}, output = {rate} }}\n")


def scores(found: Evaluation) -> dict[str, Any]:
    return {str(item.item_id): item.fields["score"] for item in found.items if item.fields}


def states(items: Sequence[Any]) -> dict[str, str]:
    return {str(item.item_id): item.state.value for item in items}
