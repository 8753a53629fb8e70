"""What these tests share: judges on loopback, items, and an evaluation in a hurry."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalforge.evaluate.engines.batched import POLLING
from evalforge.evaluate.evaluate import evaluate
from evalforge.evaluate.evaluation import Evaluation
from evalforge.evaluate.items import Population, population_of
from evalforge.evaluate.run_options import RunOptions
from evalforge.evaluate.spec import JudgeSpec, Spec
from evalforge.llm.model_options import ModelOptions
from evalforge.llm.retry import RetryPolicy
from tests.evaluate.item_server import ItemServer
from tests.messages_server import start_servers

HASTY = RetryPolicy(
    max_attempts=3, total_seconds=30.0, stall_seconds=10.0, first_wait_seconds=0.01, max_wait_seconds=0.02
)
RUBRIC = "Rate each text from 1-5 for clarity."
Serve = Callable[..., ItemServer]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stands between a test and its server."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts judges and stops them at the end."""
    yield from start_servers(ItemServer)


def population(count: int = 10, **more: Any) -> Population:
    return population_of({"items": [{"item_id": f"i{n}", "text": f"text {n}"} for n in range(count)], **more})


def make_spec(**judge: Any) -> Spec:
    return Spec("straw", JudgeSpec.model_validate({"rubric": RUBRIC, "model": "m", **judge}))


def polling(first: float, longest: float, patience: float) -> RetryPolicy:
    return replace(POLLING, first_wait_seconds=first, max_wait_seconds=longest, total_seconds=patience)


def make_options(server: ItemServer | str, **more: Any) -> RunOptions:
    url = server if isinstance(server, str) else server.url
    return RunOptions(ModelOptions(base_url=url), **{"patience": HASTY, "polling": polling(0.005, 0.02, 20.0), **more})


async def evaluated(
    server: ItemServer | str, items: Population | Path | None = None, spec: Spec | None = None, **options: Any
) -> Evaluation:
    return await evaluate(spec or make_spec(sample_size=None), make_options(server, **options), items or population())


def priced(home: Path, rate: float = 10.0) -> None:
    (home / "prices.toml").write_text(f"[models]\nm = {{ input = {rate}, output = {rate} }}\n")


def scores(found: Evaluation) -> dict[str, Any]:
    return {str(item.item_id): item.fields["score"] for item in found.items if item.fields}


def states(items: Sequence[Any]) -> dict[str, str]:
    return {str(item.item_id): item.state.value for item in items}
