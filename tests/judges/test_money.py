"""Nothing is spent that wasn't reserved, and every price is told."""

import json
import threading
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.judges.choice import estimate, warm
from evalforge.judges.claude import ClaudeJudge
from evalforge.judges.meter import Meter
from evalforge.judges.money import FREE, Price, Purse, Usage, at_most, cost_of, price_of, prices_as_of
from evalforge.judges.options import ModelOptions
from evalforge.judges.sdk import Client, Request
from evalforge.library.pack import load_pack
from evalforge.model.attempt import AttemptState
from evalforge.model.errors import UsageError
from evalforge.model.events import CriterionJudged, Judged, Spent, Ungraded
from tests import factories
from tests.conftest import REPOSITORY
from tests.judges.conftest import CODE, HASTY, judged, make_case, make_pack
from tests.judges.server import Answer, Pause, ScriptedServer, fails, judgement, says, stream_of

Serve = Callable[..., ScriptedServer]
GOOD = json.dumps(judgement({"c0": 2, "c1": 1}))
LOCAL = ModelOptions(("m",), "http://localhost:1")


def priced(home: Path, model: str = "m", rate: float = 10.0) -> None:
    home.mkdir(exist_ok=True)
    (home / "prices.toml").write_text(f'[models]\n"{model}" = {{ input = {rate}, output = {rate} }}\n')


def test_the_price_list_is_dated_and_read_by_family() -> None:
    assert prices_as_of().year >= 2026
    anywhere = ModelOptions()
    assert (
        price_of("claude-sonnet-5-5", anywhere)
        == price_of("claude-sonnet-5-5-20260901", anywhere)
        == Price(2.0, 10.0, cache_read=0.05)
    )
    assert price_of("claude-sonnet-5-7", anywhere) is None, "another model, though its name begins like one we know"
    assert price_of("anything", LOCAL) is FREE


def test_a_prompt_above_the_models_limit_costs_more_cached_or_not() -> None:
    price = Price(1.0, 4.0, cache_read=0.5, cache_write=2.0, long_above=1000, long_times=5.0)
    assert cost_of(Usage(input=1000, output=10), price).usd == pytest.approx(1040e-6)
    assert cost_of(Usage(input=1, output=10, cache_read=1000), price).usd == pytest.approx(5 * 541e-6)
    assert at_most(1000, 10, price) == pytest.approx(2040e-6)
    assert at_most(1001, 10, price) == pytest.approx(5 * 2042e-6)


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


def test_cached_tokens_cost_a_tenth_and_writing_the_cache_a_quarter_more() -> None:
    cost = cost_of(
        Usage(input=1_000_000, output=100_000, cache_read=1_000_000, cache_write=1_000_000), Price(2.0, 10.0)
    )
    assert cost.usd == pytest.approx(2 + 0.2 + 2.5 + 1)
    assert (cost.input_tokens, cost.cached_tokens) == (2_000_000, 1_000_000)
    assert cost_of(Usage(input=5), None).usd is None


@given(st.lists(st.tuples(st.floats(0, 3), st.floats(0, 1)), max_size=12), st.floats(0, 5))
def test_a_purse_is_never_overdrawn_by_what_stays_within_its_reserve(
    calls: list[tuple[float, float]], limit: float
) -> None:
    purse, open_calls = Purse(), list[tuple[int, float]]()
    for amount, share in calls:
        ticket = purse.reserve(amount, limit)
        if ticket is not None:
            open_calls.append((ticket, amount * share))
        assert purse.spent + purse.reserved <= limit + 1e-9
    for ticket, spent in open_calls:
        purse.settle(ticket, spent)
        purse.settle(ticket, spent)
    assert purse.reserved == 0
    assert purse.spent == pytest.approx(sum(spent for _, spent in open_calls))


async def test_a_budget_that_is_reached_is_ungraded_before_the_call(serve: Serve, own_home: Path) -> None:
    priced(own_home, rate=1.0)
    server = serve([says(GOOD, usage={"input_tokens": 100_000, "cache_read_input_tokens": 50_000})])
    purse = Purse()
    options = ModelOptions(("m",), server.url, budget=0.11)
    first = await judged(ClaudeJudge(options, purse, HASTY))
    assert isinstance(first[-1], Judged)
    spent = [event.cost for event in first if isinstance(event, Spent)][-1]
    assert spent.cached_tokens == 50_000
    assert purse.spent == pytest.approx(spent.usd)
    assert purse.reserved == 0
    case = make_case(submission=factories.submission(main=CODE, more="z = 3"))
    end = (await judged(ClaudeJudge(options, purse, HASTY), case))[-1]
    assert isinstance(end, Ungraded)
    assert end.reason.startswith("The budget is reached: $0.11 of $0.11")
    assert "--budget" in end.advice
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("system", "user", "more"),
    [("漢字" * 10_000, "x", {}), ("x", "漢字" * 10_000, {}), ("x", "x", {"output_config": {"schema": "漢" * 20_000}})],
    ids=["system", "messages", "form"],
)
async def test_what_is_put_aside_covers_text_of_which_each_sign_is_a_token(
    own_home: Path, system: str, user: str, more: dict[str, object]
) -> None:
    priced(own_home, rate=1.0)
    purse = Purse()
    Meter(LOCAL, purse, lambda _: None).begin(Request("m", (system,), (("user", user),), 1_000, more))
    assert purse.reserved >= at_most(20_000, 1_000, Price(1.0, 1.0))


async def test_no_call_that_could_overdraw_the_budget_is_made(serve: Serve, own_home: Path) -> None:
    priced(own_home, rate=1.0)
    prose = factories.submission(main=CODE + "'漢字漢字漢字漢字'\n" * 3_000)
    server = serve([says(GOOD, usage={"input_tokens": 45_000})])
    purse = Purse()
    options = ModelOptions(("m",), server.url, budget=0.04)
    end = (await judged(ClaudeJudge(options, purse, HASTY), make_case(submission=prose)))[-1]
    assert isinstance(end, Ungraded)
    assert "budget is reached" in end.reason
    assert not server.requests


async def test_a_fight_that_is_broken_off_stores_what_was_spent_and_tells_the_purse(
    serve: Serve, own_home: Path
) -> None:
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
    assert cost.usd == pytest.approx(forge.purse.spent)


async def test_a_budget_cannot_be_kept_where_the_price_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    end = (await judged(ClaudeJudge(ModelOptions(("mystery",), budget=1.0))))[-1]
    assert isinstance(end, Ungraded)
    assert "price of mystery is not known" in end.reason


async def test_the_price_is_told_before_the_fight(serve: Serve, own_home: Path) -> None:
    priced(own_home, rate=100.0)
    server = serve([], counts=5000)
    options = ModelOptions(("m",), server.url)
    submission = factories.submission(main=CODE)
    counted = await estimate(make_pack(), submission, "claude", options, ask=True)
    assert (counted.input_tokens, counted.counted) == (5000, True)
    assert counted.words == "about $0.64"
    guessed = await estimate(make_pack(), submission, "panel", options)
    assert not guessed.counted
    assert " to " in guessed.words
    assert not server.requests
    assert (await estimate(make_pack(), submission, "forge")).words == "free"
    assert (await estimate(make_pack(), submission, "claude", ModelOptions(("n",), LOCAL.server))).words == "free"
    assert (await estimate(make_pack(), submission, "claude", ModelOptions(("mystery",)))).words == "price unknown"


async def test_a_server_that_cannot_count_is_estimated(serve: Serve) -> None:
    options = ModelOptions(("m",), serve([]).url)
    found = await estimate(make_pack(), factories.submission(main=CODE), "claude", options, ask=True)
    assert not found.counted
    assert 1000 < found.input_tokens < 6000


async def test_a_local_server_is_not_asked_to_get_ready(serve: Serve) -> None:
    server = serve([says(GOOD)])
    await warm(make_pack(), ModelOptions(("m",), server.url))
    assert not server.requests


async def test_the_stable_part_is_put_into_the_servers_cache_without_a_word_written(serve: Serve) -> None:
    usage = {"input_tokens": 3, "output_tokens": 0, "cache_creation_input_tokens": 2000, "cache_read_input_tokens": 0}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    server = serve([Answer([json.dumps(message).encode()], kind="application/json")])
    client = Client(ModelOptions(("m",), server.url), 5.0)
    used = await client.warm(Request("m", ("stable",), (("user", "Get ready."),), 0))
    await client.close()
    assert used == Usage(input=3, cache_write=2000)
    (request,) = server.requests
    assert request["max_tokens"] == 0
    assert request["system"][0]["cache_control"] == {"type": "ephemeral"}


async def test_a_server_that_cannot_get_ready_is_no_trouble(serve: Serve) -> None:
    client = Client(ModelOptions(("m",), serve([fails(400, "invalid_request_error")]).url), 5.0)
    assert await client.warm(Request("m", ("stable",), (("user", "Get ready."),), 0)) is None
    await client.close()
