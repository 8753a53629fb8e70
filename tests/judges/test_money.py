"""Nothing is spent that wasn't reserved, and every price is told."""

import json
import re
import threading
import time
from collections.abc import Callable
from contextlib import aclosing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.judges.model_judge import ClaudeJudge
from evalforge.judges.registry import estimate_cost, prepare_judge
from evalforge.llm.budget import (
    FREE,
    Budget,
    Price,
    Usage,
    cost_of,
    max_cost_usd,
    price_of,
    price_table_date,
    retirement_notes,
)
from evalforge.llm.model_options import ModelOptions
from evalforge.llm.request import Request
from evalforge.llm.retry import RetryPolicy
from evalforge.llm.sdk_client import Client
from evalforge.llm.usage_recorder import UsageRecorder
from evalforge.model.attempt import AttemptState
from evalforge.model.errors import UsageError
from evalforge.model.events import CriterionJudged, Judged, Progress, Spent, TrialFinished, Ungraded
from evalforge.packs.pack import load_pack
from tests import factories
from tests.conftest import REPOSITORY
from tests.judges.conftest import CODE, HASTY, judged, make_case, make_judge, make_pack
from tests.judges.replies import judgement
from tests.messages_server import (
    TOKEN_COUNTS,
    Answer,
    MessagesServer,
    Pause,
    error_answer,
    json_answer,
    stream_of,
    text_answer,
    token_count,
)

pytestmark = pytest.mark.usefixtures("warm_engine")

Serve = Callable[..., MessagesServer]
GOOD = json.dumps(judgement({"c0": 2, "c1": 1}))
LOCAL = ModelOptions(("m",), "http://localhost:1")


def priced(home: Path, model: str = "m", rate: float = 10.0) -> None:
    home.mkdir(exist_ok=True)
    (home / "prices.toml").write_text(f'[models]\n"{model}" = {{ input = {rate}, output = {rate} }}\n')


def test_the_price_list_is_dated_and_read_by_family() -> None:
    assert price_table_date().year >= 2026
    anywhere = ModelOptions()
    assert (
        price_of("claude-sonnet-5-5", anywhere)
        == price_of("claude-sonnet-5-5-20260901", anywhere)
        == Price(2.0, 10.0, cache_read=0.05)
    )
    assert price_of("claude-sonnet-5-7", anywhere) is None, "another model, though its name begins like one we know"
    assert price_of("anything", LOCAL) is FREE


def test_a_prompt_above_the_limit_costs_more_cached_or_not() -> None:
    price = Price(1.0, 4.0, cache_read=0.5, cache_write=2.0, long_above=1000, long_times=5.0)
    assert cost_of(Usage(input=1000, output=10), price).usd == pytest.approx(1040e-6)
    assert cost_of(Usage(input=1, output=10, cache_read=1000), price).usd == pytest.approx(5 * 541e-6)
    assert max_cost_usd(1000, 10, price) == pytest.approx(2040e-6)
    assert max_cost_usd(1001, 10, price) == pytest.approx(5 * 2042e-6)


def test_ones_own_prices_come_first_even_for_a_local_server(own_home: Path) -> None:
    priced(own_home)
    assert price_of("m", LOCAL) == Price(10.0, 10.0)


@pytest.mark.parametrize("content", ["[models", "models = 3", "[models]\nm = 3", "[models]\nm = { inptu = 1 }"])
async def test_a_price_list_that_cannot_be_read_is_told(own_home: Path, content: str) -> None:
    (own_home / "prices.toml").write_text(content)
    with pytest.raises(UsageError, match=r"prices\.toml can't be used"):
        price_of("m", LOCAL)
    end = (await judged(ClaudeJudge(LOCAL)))[-1]
    assert isinstance(end, Ungraded)


def test_cached_tokens_cost_a_tenth_and_writes_a_quarter_more() -> None:
    cost = cost_of(
        Usage(input=1_000_000, output=100_000, cache_read=1_000_000, cache_write=1_000_000), Price(2.0, 10.0)
    )
    assert cost.usd == pytest.approx(2 + 0.2 + 2.5 + 1)
    assert (cost.input_tokens, cost.cached_tokens) == (2_000_000, 1_000_000)
    assert cost_of(Usage(input=5), None).usd is None


@given(st.lists(st.tuples(st.floats(0, 3), st.floats(0, 1)), max_size=12), st.floats(0, 5))
def test_a_call_within_its_reserve_never_overdraws_the_budget(calls: list[tuple[float, float]], limit: float) -> None:
    budget, open_calls = Budget(), list[tuple[int, float]]()
    for amount, share in calls:
        ticket = budget.reserve(amount, limit)
        if ticket is not None:
            open_calls.append((ticket, amount * share))
        assert budget.spent_usd + budget.reserved_usd <= limit + 1e-9
    for ticket, spent in open_calls:
        budget.settle(ticket, spent)
        budget.settle(ticket, spent)
    assert budget.reserved_usd == 0
    assert budget.spent_usd == pytest.approx(sum(spent for _, spent in open_calls))


async def test_a_budget_that_is_reached_is_ungraded_before_the_call(serve: Serve, own_home: Path) -> None:
    priced(own_home, rate=1.0)
    server = serve([text_answer(GOOD, usage={"input_tokens": 100_000, "cache_read_input_tokens": 50_000})])
    budget = Budget()
    options = ModelOptions(("m",), server.url, budget=0.11)
    first = await judged(ClaudeJudge(options, budget, HASTY))
    assert isinstance(first[-1], Judged)
    spent = [event.cost for event in first if isinstance(event, Spent)][-1]
    assert spent.cached_tokens == 50_000
    assert budget.spent_usd == pytest.approx(spent.usd)
    assert budget.reserved_usd == 0
    case = make_case(submission=factories.submission(main=CODE, more="z = 3"))
    end = (await judged(ClaudeJudge(options, budget, HASTY), case))[-1]
    assert isinstance(end, Ungraded)
    assert end.reason.startswith("The budget is reached: $0.11 of $0.11")
    assert "--budget" in end.advice
    assert len(server.bodies()) == 1


@pytest.mark.parametrize(
    ("system", "user", "more"),
    [("漢字" * 10_000, "x", {}), ("x", "漢字" * 10_000, {}), ("x", "x", {"output_config": {"schema": "漢" * 20_000}})],
    ids=["system", "messages", "form"],
)
async def test_the_reserve_covers_text_with_one_token_per_character(
    own_home: Path, system: str, user: str, more: dict[str, object]
) -> None:
    priced(own_home, rate=1.0)
    budget = Budget()
    UsageRecorder(LOCAL, budget, lambda _: None).reserve_call(Request("m", (system,), (("user", user),), 1_000, more))
    assert budget.reserved_usd >= max_cost_usd(20_000, 1_000, Price(1.0, 1.0))


async def test_no_call_that_could_overdraw_the_budget_is_made(serve: Serve, own_home: Path) -> None:
    priced(own_home, rate=1.0)
    prose = factories.submission(main=CODE + "'漢字漢字漢字漢字'\n" * 3_000)
    server = serve([text_answer(GOOD, usage={"input_tokens": 45_000})])
    budget = Budget()
    options = ModelOptions(("m",), server.url, budget=0.04)
    end = (await judged(ClaudeJudge(options, budget, HASTY), make_case(submission=prose)))[-1]
    assert isinstance(end, Ungraded)
    assert "more than the $0.04 budget" in end.reason
    assert not server.bodies()


async def test_a_fight_broken_off_stores_and_charges_what_was_spent(serve: Serve, own_home: Path) -> None:
    priced(own_home)
    written = stream_of(json.dumps(judgement({"strikes_true": 1})))[:-3]
    server = serve([Answer([*written, Pause(threading.Event())])])
    dummy = REPOSITORY / "bosses" / "training-dummy"
    options = FightOptions(judge="claude", models=ModelOptions(("m",), server.url))
    with History(own_home / "attempts.sqlite3") as history:
        async with (
            Forge(history) as forge,
            aclosing(forge.fight(load_pack(dummy), dummy / "starter", options)) as events,
        ):
            async for event in events:
                if isinstance(event, CriterionJudged):
                    break
        (row,) = history.page()
        attempt = history.get(row.id)
    cost = attempt.cost
    assert attempt.state is AttemptState.INTERRUPTED
    assert cost.input_tokens == 1000
    assert cost.output_tokens > 20
    assert cost.usd == pytest.approx(forge.budget.spent_usd)


async def test_a_budget_cannot_be_kept_where_the_price_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    for budget in (1.0, None):
        end = (await judged(ClaudeJudge(ModelOptions(("mystery",), budget=budget))))[-1]
        assert isinstance(end, Ungraded)
        assert "price of mystery is not known" in end.reason
        assert "--judge forge" in end.advice


async def test_what_cannot_be_paid_is_refused_before_any_trial_runs(serve: Serve, own_home: Path) -> None:
    priced(own_home)
    server = serve([text_answer(GOOD)])
    dummy = REPOSITORY / "bosses" / "training-dummy"
    options = FightOptions(judge="claude", models=ModelOptions(("m",), server.url, budget=0.1), save=False)
    async with Forge() as forge, aclosing(forge.fight(load_pack(dummy), dummy / "starter", options)) as stream:
        events = [event async for event in stream]
    end = events[-1]
    assert isinstance(end, Ungraded)
    assert re.fullmatch(r"The next call may cost \$\d\.\d\d, more than the \$0\.10 budget\.", end.reason)
    assert "--judge forge" in end.advice
    assert not [event for event in events if isinstance(event, TrialFinished)]
    assert not server.bodies()
    assert forge.budget.reserved_usd == forge.budget.spent_usd == 0


async def test_what_is_reserved_is_said_beside_what_it_will_cost(serve: Serve, own_home: Path) -> None:
    priced(own_home, rate=100.0)
    options = ModelOptions(("m",), serve([], token_count(5000)).url)
    found = await estimate_cost(make_pack(), factories.submission(main=CODE), "claude", options, count_on_server=True)
    assert found.high_usd is not None
    assert found.reserved_usd is not None
    assert found.reserved_usd > found.high_usd
    assert re.fullmatch(r"up to \$\d\.\d\d is reserved for a call", found.reserve_words)


async def test_the_server_counts_the_request_that_will_be_sent(serve: Serve) -> None:
    server = serve([], token_count(5000))
    options = ModelOptions(("m",), server.url)
    await estimate_cost(make_pack(), factories.submission(main=CODE), "claude", options, count_on_server=True)
    (counted,) = server.bodies(TOKEN_COUNTS)
    assert counted["output_config"]["format"]["type"] == "json_schema"
    assert '"code.docstring_share": 100' in counted["system"][1]["text"]


@pytest.mark.filterwarnings("ignore:The model:DeprecationWarning")  # the SDK's own; it knows other days in each version
async def test_a_model_that_retires_is_said(serve: Serve) -> None:
    events = await judged(make_judge(serve([text_answer(GOOD)]), "claude-mythos-preview"))
    first = next(event.message for event in events if isinstance(event, Progress))
    assert first == "claude-mythos-preview was switched off on June 30, 2026: choose a newer model with --model."


@pytest.mark.parametrize(("day", "says"), [(22, "will be switched off"), (23, "was switched off")])
def test_a_snapshot_retires_with_its_model(day: int, says: str) -> None:
    (note,) = retirement_notes(["claude-opus-4-5-20251101", "claude-opus-5-5", "m"], date(2027, 1, day))
    assert note.startswith(f"claude-opus-4-5-20251101 {says} on January 22, 2027")


async def test_all_calls_of_a_judging_share_one_deadline(serve: Serve) -> None:
    class Moment(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            time.sleep(0.4)
            return True

    slow = Answer([Pause(Moment()), *stream_of("no JSON")])
    server = serve([slow])
    patience = RetryPolicy(max_attempts=1, total_seconds=1.0, stall_seconds=5.0)
    end = (await judged(make_judge(server, patience=patience)))[-1]
    assert isinstance(end, Ungraded)
    assert end.reason.startswith("The reply took too long")
    assert len(server.bodies()) <= 3, "each call alone would have had the time"


async def test_the_price_is_told_before_the_fight(serve: Serve, own_home: Path) -> None:
    priced(own_home, rate=100.0)
    server = serve([], token_count(5000))
    options = ModelOptions(("m",), server.url)
    submission = factories.submission(main=CODE)
    counted = await estimate_cost(make_pack(), submission, "claude", options, count_on_server=True)
    assert (counted.input_tokens, counted.is_counted) == (5000, True)
    assert counted.price_words == "about $0.64"
    guessed = await estimate_cost(make_pack(), submission, "panel", options)
    assert not guessed.is_counted
    assert " to " in guessed.price_words
    assert not server.bodies()
    assert (await estimate_cost(make_pack(), submission, "forge")).price_words == "free"
    assert (
        await estimate_cost(make_pack(), submission, "claude", ModelOptions(("n",), LOCAL.server))
    ).price_words == "free"
    assert (
        await estimate_cost(make_pack(), submission, "claude", ModelOptions(("mystery",)))
    ).price_words == "price unknown"


async def test_a_server_that_cannot_count_is_estimated(serve: Serve) -> None:
    options = ModelOptions(("m",), serve([]).url)
    found = await estimate_cost(make_pack(), factories.submission(main=CODE), "claude", options, count_on_server=True)
    assert not found.is_counted
    assert 1000 < found.input_tokens < 6000


async def test_a_local_server_is_not_asked_to_get_ready(serve: Serve) -> None:
    server = serve([text_answer(GOOD)])
    await prepare_judge(make_pack(), ModelOptions(("m",), server.url))
    assert not server.bodies()


async def test_the_stable_part_is_cached_without_writing_a_reply(serve: Serve) -> None:
    usage = {"input_tokens": 3, "output_tokens": 0, "cache_creation_input_tokens": 2000, "cache_read_input_tokens": 0}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    server = serve([json_answer(message)])
    client = Client(ModelOptions(("m",), server.url), 5.0)
    used = await client.fill_cache(Request("m", ("stable",), (("user", "Get ready."),), 0))
    await client.close()
    assert used == Usage(input=3, cache_write=2000)
    (request,) = server.bodies()
    assert request["max_tokens"] == 0
    assert request["system"][0]["cache_control"] == {"type": "ephemeral"}


async def test_a_server_that_cannot_get_ready_is_no_trouble(serve: Serve) -> None:
    client = Client(ModelOptions(("m",), serve([error_answer(400, "invalid_request_error")]).url), 5.0)
    assert await client.fill_cache(Request("m", ("stable",), (("user", "Get ready."),), 0)) is None
    await client.close()
