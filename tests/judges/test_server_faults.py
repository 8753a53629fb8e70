"""Whatever a server does, a fight ends in a judgement or ungraded with a reason: never in a score out of a failure."""

import asyncio
import json
import socket
import threading
from collections.abc import Callable
from contextlib import aclosing

import pytest

from evalforge.judges.model_judge import ClaudeJudge
from evalforge.llm.budget import Budget
from evalforge.llm.model_options import ModelOptions
from evalforge.llm.retry import RetryPolicy
from evalforge.model.events import CriterionJudged, Event, Judged, Progress, Spent, Ungraded
from tests import factories
from tests.judges.conftest import CODE, HASTY, judged, make_case, make_judge
from tests.judges.replies import judgement
from tests.messages_server import Answer, Cut, MessagesServer, Pause, error_answer, sse, stream_of, text_answer

Serve = Callable[..., MessagesServer]
GOOD = json.dumps(judgement({"c0": 2, "c1": 1}))
EVENTS = (
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
)


def reason(events: list[Event]) -> str:
    """Why it is ungraded; it must be, and no final strike may have come."""
    end = events[-1]
    assert isinstance(end, Ungraded), end
    assert end.advice.endswith("To be judged without a model: --judge forge")
    assert end.reason.endswith(".")
    assert not [event for event in events if isinstance(event, CriterionJudged) and not event.provisional]
    return end.reason


def words(events: list[Event]) -> str:
    return "\n".join(event.message for event in events if isinstance(event, Progress))


@pytest.mark.parametrize(
    ("answer", "told", "calls"),
    [
        (error_answer(401, "authentication_error", "invalid x-api-key"), "did not accept the key", 1),
        (error_answer(402, "billing_error"), "can't pay", 1),
        (error_answer(403, "permission_error"), "may not be used", 1),
        (error_answer(404, "not_found_error", "model: m"), "knows no model “m”", 1),
        (Answer([b"<html>Not Found</html>"], 404, content_type="text/html"), "no Messages API at this address", 1),
        (Answer([b'{"error":"model not found"}'], 404, content_type="application/json"), "knows no model “m”", 1),
        (error_answer(413, "request_too_large"), "too large", 1),
        (error_answer(408, "timeout_error"), "gave up waiting", 3),
        (error_answer(429, "rate_limit_error", retry_after_ms="5"), "rate limit", 3),
        (error_answer(500, "api_error"), "status 500", 3),
        (error_answer(503, "api_error", "Loading model"), "Loading model", 3),
        (error_answer(529, "overloaded_error"), "overloaded", 3),
        (error_answer(500, "api_error", x_should_retry="false"), "status 500", 1),
        (error_answer(400, "invalid_request_error", "prompt is too long: 300000 tokens"), "too long for this model", 1),
        (error_answer(400, "invalid_request_error", "Your credit balance is too low"), "can't pay", 1),
        (error_answer(400, "invalid_request_error", "messages: bad"), "refused the request", 3),
        (Answer([b"<html><body>Sign in</body></html>"], content_type="text/html"), "text/html", 1),
        (Answer([b'{"type":"message"}'], content_type="application/json"), "JSON is not a message", 1),
        (Answer([b"<html>bad gateway</html>"], 502, content_type="text/html"), "status 502", 3),
        (Answer([b"event: message_start\ndata: {not json\n\n"]), "garbled", 3),
        (Answer([sse("message_start", message="INVALID"), sse("message_stop")]), "ended before it was complete", 3),
        (Answer([b""]), "ended before it was complete", 3),
        (text_answer("", "end_turn"), "gave 4 replies, and no judgement that can be used", 4),
        (text_answer(GOOD, "refusal", details={"type": "refusal", "category": "cyber"}),
         "declined to judge this (cyber)", 1),
        (text_answer(GOOD[:200], "max_tokens"), "cut off at EvalForge's limit of 2,800 tokens", 1),
        (text_answer(GOOD, "model_context_window_exceeded"), "too long for this model", 1),
        (text_answer(GOOD, "pause_turn"), "pause_turn", 1),
        (text_answer(GOOD, None), "ended before it was complete", 3),
        (text_answer(" ".join(map(str, range(500_000))), pieces=65_536), "longer than 200,000 characters", 1),
        (text_answer('{"criteria": {' + '"a": ' * 9 + "}" * 9), "gave 4 replies, and no judgement that can be used", 4),
        (text_answer("[" * 1_000, pieces=4096), "gave 4 replies, and no judgement that can be used", 4),
    ],
)  # fmt: skip
async def test_a_failed_call_is_ungraded_with_the_reason(serve: Serve, answer: Answer, told: str, calls: int) -> None:
    server = serve([answer])
    assert told in reason(await judged(make_judge(server)))
    assert len(server.bodies()) == calls


@pytest.mark.parametrize(
    ("kind", "told"),
    [("overloaded_error", "overloaded"), ("rate_limit_error", "rate limit"), ("api_error", "status 500")],
)
async def test_an_error_inside_a_stream_with_status_200_is_no_reply(serve: Serve, kind: str, told: str) -> None:
    begun = stream_of(GOOD)[:6]
    error = b"event: error\ndata: " + json.dumps({"type": "error", "error": {"type": kind, "message": "x"}}).encode()
    assert told in reason(await judged(make_judge(serve([Answer([*begun, error + b"\n\n"])]))))


@pytest.mark.parametrize("chunked", [True, False], ids=["broken", "just ends"])
@pytest.mark.parametrize("kind", EVENTS)
async def test_a_stream_cut_at_any_event_is_no_judgement(serve: Serve, kind: str, chunked: bool) -> None:
    events = stream_of(GOOD)
    first = next(index for index, event in enumerate(events) if event.startswith(f"event: {kind}\n".encode()))
    tail = [Cut()] if chunked else []
    server = serve([Answer([*events[:first], *tail], chunked=chunked)])
    ended = await judged(make_judge(server))
    if kind == "message_stop" and not chunked:
        # Everything there is to know had come.
        assert isinstance(ended[-1], Judged)
    else:
        assert reason(ended)
        assert len(server.bodies()) == 3


async def test_a_stream_cut_once_is_asked_for_again_and_paid_for(serve: Serve) -> None:
    server = serve([Answer([*stream_of(GOOD)[:14], Cut()]), text_answer(GOOD)])
    events = await judged(make_judge(server))
    assert isinstance(events[-1], Judged)
    assert "trying again" in words(events)
    spent = [event.cost for event in events if isinstance(event, Spent)][-1]
    assert spent.input_tokens == 2000
    assert spent.output_tokens > 200


@pytest.mark.parametrize(
    ("answers", "calls"),
    [
        ([error_answer(529, "overloaded_error"), error_answer(529, "overloaded_error"), text_answer(GOOD)], 3),
        ([error_answer(429, "rate_limit_error", retry_after="0.02"), text_answer(GOOD)], 2),
        ([text_answer(GOOD, thinking="Let me see {\"criteria\": {\"c0\": {\"score\": 0}}}")], 1),
        ([text_answer("Here it is:\n```json\n" + GOOD + "\n```")], 1),
        ([text_answer(GOOD, "stop_sequence")], 1),
        ([text_answer(GOOD, tool="hand_in_judgement", stop="tool_use")], 1),
        ([text_answer(GOOD, pieces=1)], 1),
        ([Answer(stream_of(GOOD), content_type="Text/Event-Stream; Charset=UTF-8")], 1),
        ([text_answer(json.dumps(judgement({"c0": 2, "c1": 1, "made_up": 9}, verdict="strong_pass", score_total=99)))],
         1),
        ([text_answer(GOOD, usage={"input_tokens": None})], 1),  # type: ignore[dict-item]
    ],
)  # fmt: skip
async def test_what_can_be_survived_is_judged_as_written(serve: Serve, answers: list[Answer], calls: int) -> None:
    server = serve(answers)
    end = (await judged(make_judge(server)))[-1]
    assert isinstance(end, Judged)
    assert [criterion.score for criterion in end.result.criteria] == [2, 1]
    assert (end.result.score_total, end.result.verdict) == (3, "pass")
    assert len(server.bodies()) == calls


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (GOOD.replace('"score": 2', '"score": 3'), "criteria.c0.score must be one of 0, 1, 2, not 3"),
        (GOOD.replace('"score": 2', '"score": 1e999'), "one of 0, 1, 2, not inf"),
        (GOOD.replace('"score": 2', '"score": 1' + "0" * 400), "one of 0, 1, 2, not 1000000000"),
        (GOOD.replace('"score": 2', '"score": "2"'), "one of 0, 1, 2, not '2'"),
        (GOOD.replace('"score": 2', '"score": true'), "one of 0, 1, 2, not True"),
        (GOOD.replace('"score": 2', '"score": NaN'), "not one valid JSON object"),
        (GOOD.replace('"score": 2', '"score": 1, "score": 2'), "duplicate key"),
        (GOOD.replace('"c1"', '"c0"'), "duplicate key"),
        (json.dumps(judgement({"c0": 2})), "criteria are missing: c1"),
        (json.dumps({**judgement({"c0": 2, "c1": 1}), "criteria": []}), "keyed by criterion id"),
        (GOOD.replace("It does 2.", " "), "criteria.c0.comment must be a text"),
        (GOOD + GOOD, "not one valid JSON object"),
        ("I would give it full marks.", "no JSON object"),
        ("\ud83d" + GOOD[:-9], "not one valid JSON object"),
    ],
)
async def test_a_malformed_reply_is_repaired_once_by_quoting_faults(serve: Serve, broken: str, problem: str) -> None:
    server = serve([text_answer(GOOD), text_answer(broken), text_answer(GOOD)])
    # The first judging shows that the server keeps the form; so the second's slip is the model's.
    await judged(make_judge(server))
    again = await judged(make_judge(server), make_case(submission=factories.submission(main=CODE, second="x = 1")))
    assert isinstance(again[-1], Judged)
    assert [len(request["messages"]) for request in server.bodies()] == [1, 1, 3]
    assert problem in server.bodies()[-1]["messages"][-1]["content"][0]["text"]
    assert "asking for it once more" in words(again)


def owners_shape() -> str:
    """A reply in the form of the result itself, with totals that are wrong."""
    criteria = judgement({"c0": 2, "c1": 1})["criteria"]
    listed = [{"id": name, "max_score": 2, **choice} for name, choice in criteria.items()]
    totals = {"boss_id": "x", "rubric_id": "r", "score_total": 99, "score_max": 4, "passed": False, "integrity": 9}
    words = {"verdict": "fail", "summary": "One. Two.", "improvements": ["Do this.", "Do that."], "raw_notes": ""}
    return json.dumps({**totals, "criteria": listed, **words})


def at_once(text: str) -> Answer:
    """A whole message as JSON, where a stream was asked for."""
    usage = {"input_tokens": 1000, "output_tokens": 200}
    content = [{"type": "thinking", "thinking": "Let me see."}, {"type": "text", "text": text}]
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content}
    body = json.dumps({**message, "stop_reason": "end_turn", "usage": usage}).encode()
    return Answer([body], content_type="application/json; charset=utf-8")


@pytest.mark.parametrize("answer", [text_answer(owners_shape()), at_once(GOOD), at_once(owners_shape())])
async def test_a_result_and_a_whole_message_are_read_as_a_judgement(serve: Serve, answer: Answer) -> None:
    server = serve([answer])
    events = await judged(make_judge(server))
    end = events[-1]
    assert isinstance(end, Judged), end
    assert [criterion.score for criterion in end.result.criteria] == [2, 1]
    assert (end.result.score_total, end.result.verdict) == (3, "pass")
    assert len(server.bodies()) == 1
    assert [event.cost.input_tokens for event in events if isinstance(event, Spent)][-1] == 1000


async def test_json_that_is_no_message_is_ungraded(serve: Serve) -> None:
    server = serve([Answer([b'{"hello": 1}'], content_type="application/json")])
    assert reason(await judged(make_judge(server))) == "The server's JSON is not a message."


async def test_a_connection_refused_is_ungraded() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        events = await judged(make_judge(url))
    assert reason(events) == f"Nothing answers at {url}."
    assert f"Nothing answers at {url}: trying again in 0 s" in words(events)


async def test_a_name_that_is_not_found_is_ungraded() -> None:
    assert "can't be found" in reason(await judged(make_judge("http://nowhere.invalid.local:1")))


async def test_a_server_without_a_certificate_is_ungraded_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def babble() -> None:
            peer, _ = listener.accept()
            with peer:
                peer.recv(1024)
                peer.sendall(b"HTTP/1.1 200 OK\r\n\r\n")

        thread = threading.Thread(target=babble, daemon=True)
        thread.start()
        told = reason(await judged(make_judge(f"https://127.0.0.1:{listener.getsockname()[1]}")))
        thread.join(5)
    assert told.startswith("No secure connection to https://127.0.0.1")


async def test_a_server_that_falls_silent_is_given_up(serve: Serve) -> None:
    never = threading.Event()
    server = serve([Answer([*stream_of(GOOD)[:6], Pause(never)])])
    patience = RetryPolicy(max_attempts=2, total_seconds=20.0, stall_seconds=0.15, first_wait_seconds=0.01)
    assert "nothing for too long" in reason(await judged(make_judge(server, patience=patience)))
    assert len(server.bodies()) == 2


async def test_a_slow_drip_ends_at_our_deadline(serve: Serve) -> None:
    begun = stream_of(GOOD)
    drip = [part for _ in range(4000) for part in (sse("ping"), Pause(Tick()))]
    server = serve([Answer([*begun[:6], *drip])])
    patience = RetryPolicy(max_attempts=3, total_seconds=0.6, stall_seconds=5.0)
    loop = asyncio.get_running_loop()
    began = loop.time()
    assert "took too long" in reason(await judged(make_judge(server, patience=patience)))
    assert loop.time() - began < 5


class Tick(threading.Event):
    """Set after a moment."""

    def wait(self, timeout: float | None = None) -> bool:
        super().wait(0.01)
        return True


async def test_a_server_that_asks_for_an_hour_is_not_waited_for(serve: Serve) -> None:
    server = serve([error_answer(429, "rate_limit_error", retry_after="3600")])
    events = await asyncio.wait_for(judged(make_judge(server)), 60)
    told = reason(events)
    assert getattr(events[-1], "advice", "").startswith("Try again in 3,600 s (60 minutes). ")
    assert told == "The rate limit is reached. It said: “no”. It asks to wait 3,600 s."
    assert len(server.bodies()) == 1


async def test_a_wait_is_told_on_screen(serve: Serve) -> None:
    server = serve([error_answer(529, "overloaded_error"), text_answer(GOOD)])
    assert "The server is overloaded: trying again in 0 s" in words(await judged(make_judge(server)))


async def test_leaving_cancels_the_call_and_settles_the_purse(serve: Serve) -> None:
    server = serve([Answer([*stream_of(GOOD)[:6], Pause(threading.Event())])])
    budget = Budget()
    judge = ClaudeJudge(ModelOptions(("m",), server.url), budget, HASTY)
    async with aclosing(judge.judge(make_case())) as events:
        async for event in events:
            if isinstance(event, Spent):
                break
    assert budget.reserved_usd == 0
    assert not [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]


async def test_a_criterion_strikes_while_the_rest_is_still_to_come(serve: Serve) -> None:
    text = GOOD
    half = text.index('"c1"')
    gate = threading.Event()
    parts = stream_of(text[:half])
    rest = stream_of(text[half:])
    server = serve([Answer([*parts[:-3], Pause(gate), *rest[3:]])])
    seen: list[Event] = []
    async with aclosing(make_judge(server).judge(make_case())) as events:
        async for event in events:
            seen.append(event)
            if isinstance(event, CriterionJudged) and not gate.is_set():
                assert event.provisional
                assert event.judgement.criterion_id == "c0"
                gate.set()
    strikes = [(e.judgement.criterion_id, e.provisional) for e in seen if isinstance(e, CriterionJudged)]
    assert strikes == [("c0", True), ("c1", True), ("c0", False), ("c1", False)]


@pytest.mark.parametrize("place", ["reply_pieces.EventParser.parse", "request.Request.sdk_arguments"])
async def test_our_own_fault_is_never_the_servers(serve: Serve, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"evalforge.llm.{place}", len)  # raises in the frame of ours that calls it
    with pytest.raises(TypeError, match=r"len\(\)"):
        await judged(make_judge(serve([text_answer(GOOD)])))


async def test_what_the_sdk_chokes_on_is_the_servers_fault(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    from anthropic import _streaming

    def choke(*_: object) -> None:
        raise TypeError("no such event")

    monkeypatch.setattr(_streaming.ServerSentEvent, "json", choke)
    assert "TypeError: no such event" in reason(await judged(make_judge(serve([text_answer(GOOD)]))))
