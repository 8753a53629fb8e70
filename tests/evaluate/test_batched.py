"""Message batches: handed in together, matched by name, found again after a restart, never paid twice."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evalforge.evaluate.evaluation import Evaluation, EvaluationOutcome
from evalforge.evaluate.journal import BatchCreated, read_journal
from evalforge.model.errors import UsageError
from tests.evaluate.conftest import Serve, evaluated, make_spec, polling, population, priced, scores, states
from tests.evaluate.item_server import BrokenOff, ItemServer, Question, Reply, element, honest, score_of
from tests.messages_server import NO_ANSWER, Answer, error_answer


async def in_batches(server: ItemServer) -> Evaluation:
    return await evaluated(server, population(23), engine="message-batches")


def journal(home: Path) -> Path:
    return home / "evaluations" / "straw" / "1" / "journal.jsonl"


@asynccontextmanager
async def hanging_up() -> AsyncGenerator[str]:
    """The address of a server that breaks every connection."""

    def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def test_all_calls_are_one_batch_with_results_in_any_order(serve: Serve, own_home: Path) -> None:
    priced(own_home)
    server = serve(batch_looks=3)
    found = await in_batches(server)
    assert scores(found) == {f"i{n}": score_of(f"i{n}") for n in range(23)}
    assert (server.created, set(server.paid.values())) == (1, {1})
    assert found.instrument.answered_by == ("m-1",)
    assert found.cost.usd == pytest.approx(5 * 0.5 * 1200 * 10 / 1e6)
    names = [request["custom_id"] for request in server.batches["msgbatch_0001"].requests]
    assert all(len(name) <= 64 and name.replace("-", "").isalnum() for name in names)


async def test_what_follows_from_replies_goes_in_the_next_batch(serve: Serve) -> None:
    def judge(question: Question) -> Reply:
        if "i7" in question.ids and len(question.ids) > 1:
            return json.dumps([element(i) for i in question.ids if i != "i7"])
        if "i9" in question.ids and len(question.ids) > 1:
            return BrokenOff("", "refusal")
        return honest(question)

    server = serve(judge)
    found = await in_batches(server)
    assert len(scores(found)) == 23
    assert server.created > 1
    assert found.outcome is EvaluationOutcome.JUDGED


@pytest.mark.parametrize("kind", ["errored", "expired", "canceled"])
async def test_what_came_to_nothing_is_handed_in_again(serve: Serve, kind: str) -> None:
    tries = Counter[str]()

    def results(name: str) -> str:
        tries[name] += 1
        return kind if name.endswith("2-") and tries[name] < 3 else "succeeded"

    server = serve(results=results)
    found = await in_batches(server)
    assert len(scores(found)) == 23
    assert server.created == 3
    assert found.counts["failures"] == 2
    assert set(server.paid.values()) == {1}


async def test_what_comes_to_nothing_for_ever_is_left_and_told(serve: Serve) -> None:
    server = serve(results=lambda name: "expired" if name.endswith("2-") else "succeeded")
    found = await in_batches(server)
    assert (found.outcome, found.final) == (EvaluationOutcome.ERROR, False)
    assert "three times expired" in found.reason
    assert Counter(states(found.items).values()) == {"scored": 18, "not asked": 5}


async def test_a_submitted_batch_is_collected_by_the_next_run(serve: Serve, own_home: Path) -> None:
    server = serve(batch_looks=10**9)
    task = asyncio.create_task(in_batches(server))
    async with asyncio.timeout(30):
        while not journal(own_home).is_file() or not any(
            isinstance(r, BatchCreated) for r in read_journal(journal(own_home))
        ):
            await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    server.batch_looks = 1
    with pytest.raises(UsageError, match="still at the server"):
        await evaluated(server, population(23))
    found = await in_batches(server)
    assert len(scores(found)) == 23
    assert (server.created, set(server.paid.values())) == (1, {1})


async def test_a_batch_nobody_saw_being_created_is_found_by_its_names(serve: Serve) -> None:
    """The connection breaks after the server made the batch and before it said so; others' batches lie beside it."""
    server = serve()
    server.create_batch([{"custom_id": "another's", "params": {}}])
    cut = [NO_ANSWER]

    server.after_create = lambda: cut.pop() if cut else None
    found = await in_batches(server)
    assert len(scores(found)) == 23
    assert server.created == 2
    assert set(server.paid.values()) == {1}


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504, 529])
async def test_a_batch_created_despite_an_error_is_not_made_again(serve: Serve, status: int, own_home: Path) -> None:
    priced(own_home)
    server = serve()
    wrong = [error_answer(status)]
    server.after_create = lambda: wrong.pop() if wrong else None
    found = await in_batches(server)
    assert (len(scores(found)), server.created, set(server.paid.values())) == (23, 1, {1})
    assert found.cost.usd == found.cost.total_usd == pytest.approx(5 * 0.5 * 1200 * 10 / 1e6)


@pytest.mark.parametrize(
    "wrong", [error_answer(504), error_answer(501), NO_ANSWER], ids=["a gateway", "not offered", "broken off"]
)
async def test_a_doubtful_batch_counts_as_paid_until_the_next_run(serve: Serve, wrong: Answer, own_home: Path) -> None:
    priced(own_home)
    server = serve()
    server.after_create = lambda: wrong
    first = await evaluated(server, population(23), engine="message-batches", polling=polling(0.005, 0.02, 0.0))
    assert (first.outcome, first.final) == (EvaluationOutcome.ERROR, False)
    assert first.cost.usd
    assert first.cost.total_usd == first.cost.usd
    found = await in_batches(server)
    assert (len(scores(found)), server.created, set(server.paid.values())) == (23, 1, {1})


async def test_a_creation_the_server_refuses_cost_nothing(serve: Serve, own_home: Path) -> None:
    priced(own_home)
    server = serve()
    server.before_batches = lambda request: error_answer(403) if request.method == "POST" else None
    found = await in_batches(server)
    assert (found.outcome, found.cost.usd, found.cost.total_usd) == (EvaluationOutcome.ERROR, 0.0, 0.0)


async def test_a_batch_is_recorded_though_no_budget_is_left(serve: Serve, own_home: Path) -> None:
    priced(own_home)
    server = serve()
    server.after_create = lambda: NO_ANSWER
    await evaluated(server, population(23), engine="message-batches", polling=polling(0.005, 0.02, 0.0))
    found = await evaluated(server, population(23), engine="message-batches", budget_usd=0.0001)
    assert len(scores(found)) == 23
    assert found.cost.usd == found.cost.total_usd == pytest.approx(5 * 0.5 * 1200 * 10 / 1e6)


async def test_a_server_without_message_batches_is_told_as_such(serve: Serve) -> None:
    server = serve()
    server.before_batches = lambda _: error_answer(404, "not_found_error", "no such place")
    found = await in_batches(server)
    assert found.reason.startswith("The server has no message batches. It said: “no such place”")
    assert found.advice == "Ask it one by one: --engine messages"


async def test_a_batch_the_server_has_lost_is_told_by_its_name(serve: Serve) -> None:
    server = serve()
    server.after_create = server.batches.clear
    found = await in_batches(server)
    assert found.reason.startswith("The server has no message batch msgbatch_0001.")


async def test_a_batch_of_a_killed_run_is_found_by_its_names(serve: Serve, own_home: Path) -> None:
    server = serve()
    first = await in_batches(server)
    path = journal(own_home)
    lines = path.read_text().splitlines(keepends=True)
    kept = [line for line in lines if '"type":"asked"' in line or '"type":"announced"' in line]
    path.write_text("".join(kept))
    (path.parent / "result.json").unlink()
    server.page_size = 2
    for _ in range(5):
        server.create_batch([{"custom_id": "another's", "params": {}}])
    again = await in_batches(server)
    assert (scores(again), server.created) == (scores(first), 6)


async def test_an_announced_batch_that_never_came_to_be_is_handed_in(serve: Serve, own_home: Path) -> None:
    priced(own_home)
    server = serve()
    await in_batches(server)
    path = journal(own_home)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if '"type":"asked"' in line or '"type":"announced"' in line))
    (path.parent / "result.json").unlink()
    server.batches.clear()
    again = await in_batches(server)
    assert (len(scores(again)), server.created) == (23, 2)
    assert again.cost.usd == pytest.approx(5 * 0.5 * 1200 * 10 / 1e6)


async def test_a_server_that_can_not_be_asked_costs_nothing(own_home: Path) -> None:
    priced(own_home)
    words: list[str] = []
    async with hanging_up() as url:
        # Once without patience: the first call of a process takes as long as it takes to load what it needs.
        await evaluated(url, population(23), engine="message-batches", polling=polling(0.1, 0.5, 0.0))
        anew = {"polling": polling(0.1, 0.5, 2.0), "show_message": words.append, "fresh": True}
        found = await evaluated(url, population(23), engine="message-batches", **anew)
    assert (found.outcome, found.final, found.cost.usd) == (EvaluationOutcome.ERROR, False, 0.0)
    assert set(words) == {f"The connection to {url} broke: asking again"}


async def test_a_batch_is_no_larger_than_the_cap_allows(serve: Serve, own_home: Path) -> None:
    priced(own_home)
    server = serve()
    spec = make_spec(sample_size=None, max_total_cost_usd=0.1)
    found = await evaluated(server, population(200), spec, engine="message-batches")
    assert "The cap is reached" in found.reason
    assert found.cost.usd is not None
    assert 0.05 < found.cost.usd <= 0.1
    assert found.cost.usd == pytest.approx(sum(server.paid.values()) / 5 * 0.006)
