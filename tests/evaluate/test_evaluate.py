"""An evaluation from end to end, before a judge on loopback: what is asked, what is kept, what becomes of faults."""

import asyncio
import errno
import json
import math
import os
import time
from collections import Counter
from pathlib import Path

import pytest

from evalforge.evaluate.evaluate import evaluate, preview_run
from evalforge.evaluate.evaluation import EvaluationOutcome
from evalforge.evaluate.evaluation_store import EvaluationStore, find_result
from evalforge.evaluate.journal import CallAnswered, CallAsked, Journal, JournalError, read_journal
from evalforge.evaluate.measurement_spec import Gate, Measurement
from evalforge.evaluate.spec import Spec
from evalforge.model.errors import UsageError
from tests.evaluate.conftest import (
    Serve,
    evaluated,
    make_options,
    make_spec,
    population,
    priced,
    scores,
    states,
)
from tests.evaluate.item_server import BrokenOff, Question, Reply, element, honest, score_of
from tests.messages_server import error_answer


def journal_of(home: Path, number: int = 1) -> Path:
    return home / "evaluations" / "straw" / str(number) / "journal.jsonl"


# What is asked


async def test_every_item_is_asked_once_in_batches_and_scored(serve: Serve, own_home: Path) -> None:
    server = serve()
    found = await evaluated(server, population(13))
    assert found.outcome is EvaluationOutcome.JUDGED
    assert scores(found) == {f"i{n}": score_of(f"i{n}") for n in range(13)}
    assert sorted((len(question.ids) for question in server.questions), reverse=True) == [5, 5, 3]
    assert set(server.ids.values()) == {1}
    assert found.primary_value == pytest.approx(sum(map(score_of, (f"i{n}" for n in range(13)))) / 13)
    assert (found.coverage, found.final) == (1.0, True)
    assert find_result("straw-1") == found


@pytest.mark.parametrize("name", ["two_words", "dashed--name", "a" * 59 + "-"])
async def test_a_result_is_found_by_whatever_name_a_spec_may_have(serve: Serve, name: str) -> None:
    found = await evaluated(serve(), spec=Spec(name, make_spec().judge))
    assert find_result(f"{name}-1") == found


async def test_no_judge_sees_anothers_reply(serve: Serve) -> None:
    server = serve()
    await evaluated(server, population(12))
    assert [question.turns for question in server.questions] == [1, 1, 1]
    assert not any("score" in json.dumps(question.data) for question in server.questions)


async def test_the_sample_is_drawn_by_strata_and_mixed_over_batches(serve: Serve) -> None:
    server = serve()
    items = [{"item_id": f"{b}{n}", "bucket": b, "text": "x"} for b in ("big", "small") for n in range(20)]
    buckets = [{"bucket": "big", "count": 6}, {"bucket": "small", "count": 2}, {"bucket": "rare", "count": 2}]
    found = await evaluated(server, population(0, items=items), make_spec(stratification=buckets, batch_size=4))
    assert [(one.bucket, one.drawn, one.wanted) for one in found.strata] == [
        ("big", 6, 6), ("small", 2, 2), ("rare", 0, 2),
    ]  # fmt: skip
    assert any("rare is short: 0 of 2" in warning for warning in found.warnings)
    assert [Counter(str(i)[:3] for i in question.ids) for question in server.questions] == [{"big": 3, "sma": 1}] * 2


async def test_singletons_are_judged_apart_against_titles(serve: Serve) -> None:
    def judge(question: Question) -> Reply:
        if not question.about_singletons:
            return honest(question)
        assert question.data["clusters"] == [
            {"cluster_id": "c1", "title": "Crashes"},
            {"cluster_id": "c2", "title": "Ads"},
        ]
        return json.dumps([
            {"item_id": i, "should_cluster": i == "s1", "best_cluster_id": "c1" if i == "s1" else None,
             "confidence": 5 if i == "s1" else 1} for i in question.ids
        ])  # fmt: skip

    items = [{"item_id": "c1", "title": "Crashes", "members": ["m"]}, {"item_id": "c2", "title": "Ads"}]
    singles = [{"item_id": f"s{n}", "text": "t"} for n in range(1, 5)]
    spec = make_spec(singleton_sample=4, singleton_rubric="Alone?")
    found = await evaluated(serve(judge), population(0, items=items, singletons=singles), spec)
    assert found.outcome is EvaluationOutcome.JUDGED
    assert len(found.items) == 2
    assert len(found.singletons) == 4
    assert found.metrics["singleton_false_negative_pct"] == 25.0
    assert found.metrics["singleton_false_negative_pct_weighted"] == pytest.approx(100 * 5 / 8)


async def test_a_look_ahead_asks_nobody_and_keeps_nothing(serve: Serve, own_home: Path) -> None:
    priced(own_home)
    server = serve()
    ahead = await preview_run(make_spec(sample_size=7), make_options(server), population(20))
    assert not server.questions
    assert [len(batch.item_ids) for batch in ahead.batches] == [5, 2]
    assert ahead.usd is not None
    assert ahead.most_usd is not None
    assert 0 < ahead.usd < ahead.most_usd
    assert not (own_home / "evaluations").exists()
    found = await evaluated(server, population(20), make_spec(sample_size=7))
    assert tuple(item.item_id for item in found.items) == ahead.sample[""]


@pytest.mark.parametrize(("how", "calls"), [("models", 4), ("ladder", 2)])
async def test_a_look_ahead_counts_every_judge_it_can(serve: Serve, own_home: Path, how: str, calls: int) -> None:
    price = "{ input = 10.0, output = 10.0 }"
    (own_home / "prices.toml").write_text(f"[models]\nm = {price}\nn = {price}\n")
    server = serve()
    one = await preview_run(make_spec(sample_size=7), make_options(server), population(20))
    ahead = await preview_run(make_spec(sample_size=7, **{how: ("m", "n")}), make_options(server), population(20))
    assert len(ahead.batches) == calls
    assert one.usd is not None
    assert ahead.usd == pytest.approx(one.usd * calls / 2)
    assert any("leaves open" in warning for warning in ahead.warnings) is (how == "ladder")


# Gates and measuring


async def test_a_failing_gate_is_degenerate_and_no_judge_is_asked(serve: Serve) -> None:
    server = serve()
    spec = Spec("straw", make_spec().judge, gates=(Gate(name="n", check=">= 3"), Gate(name="m", check="== 1")))
    found = await evaluated(server, population(5, n=5), spec)
    assert (found.outcome, server.questions) == (EvaluationOutcome.DEGENERATE, [])
    assert "m is missing" in found.reason
    assert find_result("straw-1").outcome is EvaluationOutcome.DEGENERATE


async def test_a_command_measures_gates_hold_and_diagnostics_are_told(serve: Serve, tmp_path: Path) -> None:
    data = {"items": [{"item_id": 1}, {"item_id": 2}], "n": 2, "latency_ms": 31}
    (tmp_path / "out.json").write_text(json.dumps(data))
    measurement = Measurement(command="cat out.json", working_directory=str(tmp_path))
    spec = Spec("straw", make_spec().judge, (Gate(name="n", check="> 1"),), ("latency_ms",), measurement=measurement)
    found = await evaluate(spec, make_options(serve()))
    assert (found.outcome, found.diagnostics, states(found.items)) == (
        EvaluationOutcome.JUDGED, {"latency_ms": 31}, {"1": "scored", "2": "scored"},
    )  # fmt: skip


@pytest.mark.parametrize("command", ["exit 3", "echo no", "sleep 60", "echo '{\"n\": 1}'"])
async def test_a_measurement_that_fails_is_an_error_and_no_bad_score(
    serve: Serve, tmp_path: Path, command: str
) -> None:
    server = serve()
    measurement = Measurement(command=command, timeout_seconds=0.5, working_directory=str(tmp_path))
    found = await evaluate(Spec("straw", make_spec().judge, measurement=measurement), make_options(server))
    assert (found.outcome, found.metrics, server.questions) == (EvaluationOutcome.ERROR, {}, [])


# Replies


async def test_missing_items_are_asked_once_more_then_stay_missing(serve: Serve) -> None:
    server = serve(lambda question: json.dumps([element(i) for i in question.ids if i != "i3"]))
    found = await evaluated(server, population(20))
    assert server.ids["i3"] == 2
    assert sum(server.ids.values()) == 21
    assert states(found.items)["i3"] == "missing"
    assert "i3" not in scores(found)
    assert (found.outcome, found.coverage) == (EvaluationOutcome.JUDGED, 0.95)
    assert found.primary_value == pytest.approx(sum(score_of(f"i{n}") for n in range(20) if n != 3) / 19)


async def test_too_few_scores_are_an_error_and_no_bad_score(serve: Serve) -> None:
    server = serve(lambda question: json.dumps([element(i) for i in question.ids if i not in ("i1", "i2")]))
    found = await evaluated(server, population(10))
    assert (found.outcome, found.final) == (EvaluationOutcome.ERROR, True)
    assert "Only 80% of the sample has a score" in found.reason


async def test_what_a_judge_makes_up_is_dropped_and_counted(serve: Serve) -> None:
    server = serve(lambda question: json.dumps([element("made up"), *map(element, question.ids), element("i999")]))
    found = await evaluated(server, population(10))
    assert found.counts["unknown"] == 4
    assert any("weren't asked for" in warning for warning in found.warnings)
    assert len(scores(found)) == 10


async def test_a_judge_that_is_torn_is_asked_again(serve: Serve) -> None:
    def judge(question: Question) -> Reply:
        doubled = [element(i, score=1) for i in question.ids if i == "i4" and len(question.ids) > 1]
        return json.dumps([*map(element, question.ids), *doubled])

    server = serve(judge)
    found = await evaluated(server, population(10))
    assert server.ids["i4"] == 2
    assert scores(found)["i4"] == score_of("i4")
    assert found.counts["differing"] == 1
    assert "1 times one reply gave an item two different scores" in " ".join(found.warnings)


async def test_an_undecided_item_gets_the_worse_score(serve: Serve) -> None:
    server = serve(lambda question: json.dumps([element(i, score=score) for i in question.ids for score in (2, 4)]))
    more = await evaluated(server, population(3))
    fewer = await evaluated(server, population(4), Spec("straw", make_spec().judge, direction="minimize"))
    assert (set(scores(more).values()), set(scores(fewer).values())) == ({2}, {4})
    assert (more.metrics["ambiguous_rate"], fewer.metrics["ambiguous_rate"]) == (1.0, 1.0)
    assert any("unsure of 100% of the items" in warning for warning in more.warnings)


async def test_a_score_out_of_range_is_no_score(serve: Serve) -> None:
    server = serve(lambda question: json.dumps([element(i, score=6 if i == "i0" else 3) for i in question.ids]))
    found = await evaluated(server, population(20))
    assert server.ids["i0"] == 2
    (lost,) = [item for item in found.items if item.item_id == "i0"]
    assert (lost.state.value, lost.reason) == ("missing", "score must be a number from 1 to 5, not 6")


async def test_a_number_that_is_not_finite_is_no_score(serve: Serve, own_home: Path) -> None:
    server = serve(lambda question: json.dumps([element(i, score=10**400 if i == "i0" else 3) for i in question.ids]))
    found = await evaluated(server, population(20))
    assert (found.outcome, states(found.items)["i0"]) == (EvaluationOutcome.JUDGED, "missing")
    (journal_of(own_home).parent / "result.json").unlink()
    assert states((await evaluated(server, population(20))).items) == states(found.items)


async def test_a_malformed_reply_is_mended_once(serve: Serve) -> None:
    server = serve(lambda question: honest(question) if question.turns > 1 else "I find them all good.")
    found = await evaluated(server, population(10))
    assert [question.turns for question in server.questions].count(3) == 2
    assert (len(scores(found)), found.counts["mended"]) == (10, 2)


async def test_one_item_that_spoils_its_batch_is_found_by_halving(serve: Serve) -> None:
    server = serve(lambda question: "no" if "i7" in question.ids else honest(question))
    found = await evaluated(server, population(20))
    assert states(found.items)["i7"] == "missing"
    assert len(scores(found)) == 19
    assert found.counts["halved"] >= 2


@pytest.mark.parametrize("stop", ["refusal", "max_tokens", "model_context_window_exceeded"])
async def test_a_declined_item_costs_its_neighbours_nothing(serve: Serve, stop: str) -> None:
    server = serve(lambda question: BrokenOff("", stop) if "i7" in question.ids else honest(question))
    found = await evaluated(server, population(20))
    assert len(scores(found)) == 19
    assert states(found.items)["i7"] == "missing"


async def test_half_a_surrogate_in_a_reply_is_no_trouble(serve: Serve) -> None:
    server = serve(lambda question: json.dumps([element(i, note="\ud83d") for i in question.ids]))
    found = await evaluated(server)
    assert len(scores(found)) == 10


# Servers


async def test_a_small_server_is_kept_busy_and_refusals_are_no_scores(serve: Serve) -> None:
    server = serve(latency=0.02, max_calls=3)
    found = await evaluated(server, population(150), concurrency=32)
    assert len(scores(found)) == 150
    assert server.most_at_once == 3
    assert server.refused
    assert found.counts["failures"] == 0
    assert found.counts["refusals"] == server.refused


@pytest.mark.parametrize(("status", "kind"), [(429, "rate_limit_error"), (529, "overloaded_error"), (503, "api_error")])
async def test_nothing_goes_out_before_the_time_a_server_names(serve: Serve, status: int, kind: str) -> None:
    told: list[int] = []

    def judge(question: Question) -> Reply:
        if len(told) < 1:
            told.append(1)
            return error_answer(status, kind, "wait", retry_after="0.5")
        return honest(question)

    server = serve(judge)
    found = await evaluated(server, population(10), concurrency=1)
    assert len(scores(found)) == 10
    first, later, *_ = server.requests()
    assert later.seconds - first.seconds >= 0.5


@pytest.mark.parametrize("items", [10, 200])
async def test_a_server_that_asks_for_a_day_is_not_waited_for(serve: Serve, items: int) -> None:
    """Neither by the calls it refused, nor by those that were still to go out."""
    server = serve(lambda _: error_answer(429, "rate_limit_error", "no", retry_after="86400"), latency=0.05)
    found = await asyncio.wait_for(evaluated(server, population(items)), 120)
    assert (found.outcome, found.final) == (EvaluationOutcome.ERROR, False)
    assert "It asks to wait 86,400 s" in found.reason
    assert found.counts["refusals"] == len(server.questions) <= 4


async def test_a_closed_gate_opens_when_the_run_is_stopped(serve: Serve) -> None:
    """One call is told to wait ten minutes, another that the key is wrong: nobody waits ten minutes."""
    told: list[int] = []

    def judge(_: Question) -> Reply:
        told.append(1)
        if len(told) == 1:
            return error_answer(429, "rate_limit_error", "later", retry_after="600")
        time.sleep(0.3)
        return error_answer(401)

    found = await asyncio.wait_for(evaluated(serve(judge), population(200)), 120)
    assert "did not accept the key" in found.reason


async def test_a_failure_that_passes_is_asked_again(serve: Serve) -> None:
    told: list[int] = []

    def judge(question: Question) -> Reply:
        told.append(1)
        return error_answer(500) if len(told) in (1, 2) else honest(question)

    found = await evaluated(serve(judge), concurrency=1)
    assert len(scores(found)) == 10
    assert found.counts["failures"] == 2


@pytest.mark.parametrize(
    ("status", "words"), [(401, "did not accept the key"), (404, "knows no model"), (402, "can't pay"), (501, "offer")]
)
async def test_a_server_that_will_never_do_it_stops_the_run_at_once(serve: Serve, status: int, words: str) -> None:
    server = serve(lambda _: error_answer(status))
    found = await evaluated(server, population(400), concurrency=2)
    assert (found.outcome, found.final) == (EvaluationOutcome.ERROR, False)
    assert words in found.reason
    assert "--judge forge" not in found.advice
    assert len(server.questions) <= 3


@pytest.mark.parametrize("status", [400, 422, 500])
async def test_a_server_that_refuses_everything_is_left_after_a_few(serve: Serve, status: int) -> None:
    server = serve(lambda _: error_answer(status))
    found = await evaluated(server, population(400), concurrency=2)
    assert found.outcome is EvaluationOutcome.ERROR
    assert len(server.questions) < 40


async def test_nobody_at_home_is_an_error_with_advice() -> None:
    found = await evaluated("http://127.0.0.1:9")
    assert (found.outcome, found.final) == (EvaluationOutcome.ERROR, False)
    assert "Nothing answers at http://127.0.0.1:9" in found.reason


async def test_what_was_stopped_goes_on_where_it_was(serve: Serve) -> None:
    broken = [True]

    def judge(question: Question) -> Reply:
        return error_answer(401) if broken[0] and "i9" in question.ids else honest(question)

    server = serve(judge)
    first = await evaluated(server, population(30), concurrency=1)
    assert (first.outcome, first.final) == (EvaluationOutcome.ERROR, False)
    broken[0] = False
    second = await evaluated(server, population(30))
    assert (second.id, second.outcome) == (first.id, EvaluationOutcome.JUDGED)
    assert set(server.paid.values()) == {1}


async def test_the_same_again_asks_nobody_and_fresh_does(serve: Serve) -> None:
    server = serve()
    one, two = await evaluated(server), await evaluated(server)
    assert (two.id, len(server.questions)) == (one.id, 2)
    again = await evaluated(server, fresh=True)
    assert (again.id, len(server.questions)) == ("straw-2", 4)
    other = await evaluated(server, population(11))
    assert other.id == "straw-3"


async def test_the_order_of_items_is_nothing_new(serve: Serve) -> None:
    server = serve()
    items = [{"item_id": n, "text": "x"} for n in range(8)]
    one = await evaluated(server, population(0, items=items))
    assert (await evaluated(server, population(0, items=items[::-1]))).id == one.id


# Money


async def test_no_call_goes_out_that_could_break_the_cap(serve: Serve, own_home: Path) -> None:
    priced(own_home)
    server = serve()
    cap = 0.30
    found = await evaluated(server, population(200), make_spec(sample_size=None, max_total_cost_usd=cap), concurrency=6)
    assert (found.outcome, found.final) == (EvaluationOutcome.ERROR, False)
    assert "The cap is reached" in found.reason
    spent = len(server.questions) * (1000 * 10 + 200 * 10) / 1e6
    assert found.cost.usd == pytest.approx(spent)
    assert 0.1 < spent <= cap
    records = list(read_journal(journal_of(own_home)))
    paid, held, most = 0.0, dict[str, float](), 0.0
    for record in records:
        if isinstance(record, CallAsked):
            held[record.call] = record.reserved
        elif isinstance(record, CallAnswered):
            held.pop(record.call)
            paid += record.usd
        most = max(most, paid + sum(held.values()))
    assert most <= cap


async def test_the_cap_is_that_of_all_runs_of_a_spec(serve: Serve, own_home: Path) -> None:
    priced(own_home)
    server = serve()
    for number in range(12):
        spec = make_spec(sample_size=None, max_total_cost_usd=0.2)
        found = await evaluated(server, population(10 + number), spec)
    assert "The cap is reached" in found.reason
    assert found.cost.total_usd is not None
    assert len(server.questions) * 0.012 == pytest.approx(found.cost.total_usd)
    assert found.cost.total_usd <= 0.2


async def test_a_budget_of_the_command_holds_beside_the_cap(serve: Serve, own_home: Path) -> None:
    priced(own_home)
    server = serve()
    found = await evaluated(server, population(200), budget_usd=0.15)
    assert "The cap is reached" in found.reason
    assert found.cost.usd is not None
    assert found.cost.usd <= 0.15


async def test_more_money_goes_on_where_it_ended(serve: Serve, own_home: Path) -> None:
    priced(own_home)
    server = serve()
    first = await evaluated(server, population(60), make_spec(sample_size=None, max_total_cost_usd=0.15))
    assert first.outcome is EvaluationOutcome.ERROR
    second = await evaluated(server, population(60), make_spec(sample_size=None, max_total_cost_usd=5))
    assert (second.id, second.outcome) == (first.id, EvaluationOutcome.JUDGED)
    assert set(server.paid.values()) == {1}


async def test_a_price_nobody_knows_needs_leave(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    setting = make_options("")
    with pytest.raises(UsageError, match="price of m is not known"):
        await evaluate(make_spec(), setting, population())


# The log


async def test_every_record_holds_the_rubrics_hash(serve: Serve, own_home: Path) -> None:
    found = await evaluated(serve())
    lines = [json.loads(line) for line in journal_of(own_home).read_text().splitlines()]
    assert {line["rubric"] for line in lines} == {found.rubric_hash}
    assert [line["type"] for line in lines].count("answered") == 2
    other = await evaluated(serve(), spec=make_spec(rubric="Rate each text from 1-5 for wit."))
    assert other.rubric_hash != found.rubric_hash


async def test_only_a_line_cut_in_the_middle_is_done_again(serve: Serve, own_home: Path) -> None:
    server = serve()
    await evaluated(server, population(25), concurrency=1)
    path = journal_of(own_home)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    (path.parent / "result.json").unlink()
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2])
    found = await evaluated(server, population(25))
    assert found.outcome is EvaluationOutcome.JUDGED
    assert len(server.questions) == 6
    assert Counter(server.ids.values()) == {1: 20, 2: 5}
    assert len(list(read_journal(path))) == len(lines) + 1


async def test_a_damaged_line_is_told_with_its_number(serve: Serve, own_home: Path) -> None:
    await evaluated(serve(), population(25))
    path = journal_of(own_home)
    (path.parent / "result.json").unlink()
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], "{", *lines[1:]]) + "\n")
    with pytest.raises(JournalError, match=r"journal\.jsonl:2: this line is damaged"):
        await evaluated(serve(), population(25))


async def test_two_at_once_are_told_apart(serve: Serve) -> None:
    with EvaluationStore("straw"), pytest.raises(JournalError, match="is being run elsewhere"):
        await evaluated(serve())


def test_a_log_can_be_opened_by_one_alone(tmp_path: Path) -> None:
    with Journal(tmp_path / "j"), pytest.raises(JournalError), Journal(tmp_path / "j"):
        pass


async def test_many_who_wait_for_the_disk_share_one_sync(tmp_path: Path) -> None:
    with Journal(tmp_path / "j") as journal:
        for number in range(50):
            journal.write(CallAsked(rubric="r", call=str(number), keys=(), reserved=0.0))
        await asyncio.gather(*(journal.wait_until_synced() for _ in range(50)))
        assert len(list(read_journal(tmp_path / "j"))) == 50


async def test_a_disk_that_takes_nothing_is_told_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with Journal(tmp_path / "j") as journal:
        journal.write(CallAsked(rubric="r", call="1", keys=(), reserved=0.0))
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", broken)
            with pytest.raises(JournalError, match=r"j can't be written \(Input/output error\)"):
                await journal.wait_until_synced()
        await journal.wait_until_synced()
    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(JournalError, match="can't be written"), Journal(tmp_path / "j"):
        pass


# Figures


async def test_the_figures_are_those_of_the_items(serve: Serve) -> None:
    spec = make_spec(sample_size=None, scoring={"primary": "mean_score", "secondary": ["ambiguous_rate", "mean_depth"]})
    server = serve(lambda question: json.dumps([
        element(i, depth=int(str(i)[1:]), ambiguous=i in ("i0", "i1")) for i in question.ids
    ]))  # fmt: skip
    found = await evaluated(server, spec=spec)
    all_scores = [score_of(f"i{n}") for n in range(10)]
    assert found.metrics["mean_score"] == pytest.approx(sum(all_scores) / 10)
    assert found.metrics["mean_score_unambiguous"] == pytest.approx(sum(all_scores[2:]) / 8)
    assert found.metrics["ambiguous_rate"] == pytest.approx(0.2)
    assert found.metrics["mean_depth"] == pytest.approx(4.5)
    assert found.metrics["pct_scoring_4plus"] == pytest.approx(10 * sum(score >= 4 for score in all_scores))
    assert found.metrics["mean_score_stratified_error"] == 0.0


async def test_strata_weigh_by_their_size(serve: Serve) -> None:
    items = [{"item_id": f"a{n}", "bucket": "a"} for n in range(90)]
    items += [{"item_id": f"b{n}", "bucket": "b"} for n in range(10)]
    server = serve(lambda question: json.dumps([element(i, score=5 if str(i)[0] == "a" else 1) for i in question.ids]))
    buckets = [{"bucket": "a", "count": 5}, {"bucket": "b", "count": 5}]
    found = await evaluated(server, population(0, items=items), make_spec(stratification=buckets))
    assert (found.primary_value, found.metrics["mean_score_stratified"]) == (3.0, pytest.approx(4.6))
    assert math.isclose(found.metrics["mean_score_stratified_error"] or 0.0, 0.0)


async def test_ids_keep_their_type(serve: Serve) -> None:
    items = [{"item_id": 1}, {"item_id": "2"}, {"item_id": 2.5}]
    server = serve(lambda question: json.dumps([element(str(i)) for i in question.ids]))
    found = await evaluated(server, population(0, items=items))
    assert sorted(map(repr, (item.item_id for item in found.items))) == ["'2'", "1", "2.5"]
    assert len(scores(found)) == 3
