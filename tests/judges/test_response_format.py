"""A server is asked for the form in the surest way that works with it, and asked so again next time."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalforge.llm.response_format import FormatNegotiation, ResponseFormat
from evalforge.model.events import CriterionJudged, Judged, Progress, Spent, Ungraded
from tests import factories
from tests.judges.conftest import CODE, judged, make_case, make_judge
from tests.judges.replies import judgement
from tests.messages_server import (
    CHAT_COMPLETIONS,
    Answer,
    HttpRequest,
    MessagesServer,
    Responder,
    error_answer,
    json_answer,
    text_answer,
)

Serve = Callable[..., MessagesServer]
GOOD = json.dumps(judgement({"c0": 2, "c1": 1}))


def rungs(server: MessagesServer) -> list[str]:
    return [
        "output_config" if "output_config" in request else "forced_tool" if "tool_choice" in request else "prompt"
        for request in server.bodies()
    ]


def honours(*known: str) -> Responder:
    """A server that keeps the form on these rungs and chats on all others."""

    def answer(request: HttpRequest) -> Answer:
        if "output_config" in request.body:
            return text_answer(GOOD if "output_config" in known else "Sure, it is fine.")
        if "tool_choice" in request.body:
            tooled = text_answer(GOOD, "tool_use", tool=request.body["tool_choice"]["name"])
            return (
                tooled
                if "forced_tool" in known
                else error_answer(400, "invalid_request_error", "tool_choice is not supported")
            )
        return text_answer(GOOD if "prompt" in known else "Sure, it is fine.")

    return answer


@pytest.mark.parametrize(
    ("known", "asked"),
    [
        (["output_config"], ["output_config"]),
        (["forced_tool"], ["output_config", "output_config", "forced_tool"]),
        (["prompt"], ["output_config", "output_config", "forced_tool", "prompt"]),
    ],
)
async def test_the_ladder_is_stepped_down_once_and_remembered(
    serve: Serve, own_home: Path, known: list[str], asked: list[str]
) -> None:
    server = serve(honours(*known))
    first = await judged(make_judge(server))
    second = await judged(make_judge(server), make_case(submission=factories.submission(main=CODE, more="y = 2")))
    assert isinstance(first[-1], Judged)
    assert isinstance(second[-1], Judged)
    assert rungs(server) == [*asked, asked[-1]]
    assert json.loads((own_home / "ladder.json").read_text()) == {f"{server.url} m": asked[-1]}


@pytest.mark.parametrize(
    ("answers", "asked"),
    [
        ([text_answer("Sure."), text_answer(GOOD)], ["output_config"] * 2),
        (
            [
                error_answer(400, "invalid_request_error", "output_config: unknown"),
                text_answer("Sure."),
                text_answer(GOOD),
            ],
            ["output_config", "forced_tool", "forced_tool"],
        ),
    ],
)
async def test_one_slip_of_the_model_takes_no_rung_from_the_server(
    serve: Serve, own_home: Path, answers: list[Answer], asked: list[str]
) -> None:
    server = serve(answers)
    assert isinstance((await judged(make_judge(server)))[-1], Judged)
    assert rungs(server) == asked
    assert json.loads((own_home / "ladder.json").read_text()) == {f"{server.url} m": asked[-1]}


async def test_no_rung_and_no_repair_is_ungraded(serve: Serve) -> None:
    server = serve(honours())
    end = (await judged(make_judge(server)))[-1]
    assert isinstance(end, Ungraded)
    assert rungs(server) == ["output_config", "output_config", "forced_tool", "prompt"]


async def test_each_model_has_a_ladder_of_its_own(serve: Serve) -> None:
    server = serve(honours("prompt"))
    await judged(make_judge(server, "a"))
    await judged(make_judge(server, "b"))
    assert rungs(server) == ["output_config", "output_config", "forced_tool", "prompt"] * 2


@pytest.mark.parametrize("content", ["", "no json", "[]", '{"x m": "by magic"}', "[" * 100_000])
def test_a_broken_memory_is_an_empty_one(tmp_path: Path, content: str) -> None:
    path = tmp_path / "ladder.json"
    path.write_text(content)
    ladder = FormatNegotiation(path)
    assert ladder.last_working("x", "m") is None
    ladder.remember("x", "m", ResponseFormat.PROMPT)
    assert FormatNegotiation(path).last_working("x", "m") is ResponseFormat.PROMPT
    ladder.forget("x", "m")
    assert ladder.last_working("x", "m") is None


def test_what_another_process_is_about_to_write_is_left_alone(tmp_path: Path) -> None:
    path, aside = tmp_path / "ladder.json", tmp_path / "ladder.new"
    aside.write_text('{"half')
    FormatNegotiation(path).remember("x", "m", ResponseFormat.PROMPT)
    assert FormatNegotiation(path).last_working("x", "m") is ResponseFormat.PROMPT
    assert aside.read_text() == '{"half'


def test_a_memory_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    FormatNegotiation(tmp_path / "file" / "ladder.json").remember("x", "m", ResponseFormat.PROMPT)


async def test_the_form_is_in_the_prompt_for_servers_that_drop_it(serve: Serve) -> None:
    server = serve([text_answer(GOOD)])
    await judged(make_judge(server))
    (request,) = server.bodies()
    form = json.loads(request["system"][0]["text"].rpartition("\n")[2])
    schema = request["output_config"]["format"]["schema"]["properties"]
    assert list(form) == list(schema)
    assert {name: list(part) for name, part in form["criteria"].items()} == {
        name: part["required"] for name, part in schema["criteria"]["properties"].items()
    }
    assert form["criteria"]["c0"]["score"] == "0 or 1 or 2"


@pytest.mark.parametrize(
    ("model", "effort"), [("claude-sonnet-5-5", "medium"), ("claude-haiku-4-5", None), ("m", None)]
)
async def test_effort_is_set_for_models_that_take_one(serve: Serve, model: str, effort: str | None) -> None:
    server = serve([text_answer(GOOD)])
    await judged(make_judge(server, model))
    assert server.bodies()[0]["output_config"].get("effort") == effort


CHAT = {"choices": [{"delta": {"role": "assistant", "content": ""}, "finish_reason": None}], "id": "c1", "model": "m"}


def chat_stream(text: str, reason: str = "stop") -> Answer:
    """A reply of the chat completions API, in pieces."""
    texts = (text[start : start + 40] for start in range(0, len(text), 40))
    chunks: list[dict[str, Any]] = [
        CHAT,
        *({"choices": [{"delta": {"content": piece}, "finish_reason": None}]} for piece in texts),
        {"choices": [{"delta": {}, "finish_reason": reason}]},
        {"choices": [], "usage": {"prompt_tokens": 900, "completion_tokens": 50}},
    ]
    lines = [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks]
    return Answer([*lines, b"data: [DONE]\n\n"])


async def test_a_local_server_holds_the_model_to_a_grammar(serve: Serve) -> None:
    server = serve([error_answer(500, "api_error")], {CHAT_COMPLETIONS: [chat_stream(GOOD)]})
    events = await judged(make_judge(server))
    assert isinstance(events[-1], Judged), events[-1]
    assert server.bodies() == []
    (asked,) = server.bodies(CHAT_COMPLETIONS)
    schema = asked["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["criteria"]["required"] == ["c0", "c1"]
    assert schema["properties"]["summary"]["maxLength"] > 0
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    spent = [event.cost for event in events if isinstance(event, Spent)][-1]
    assert (spent.input_tokens, spent.output_tokens) == (900, 50)
    assert any(isinstance(event, CriterionJudged) and event.provisional for event in events)


async def test_without_that_api_the_messages_api_is_asked(serve: Serve) -> None:
    server = serve([text_answer(GOOD)])
    events = await judged(make_judge(server))
    assert isinstance(events[-1], Judged)
    assert "output_config" in server.bodies()[0]
    assert not [event for event in events if isinstance(event, Progress)]


async def test_a_reply_cut_by_length_is_ungraded_in_either_api(serve: Serve) -> None:
    server = serve([error_answer(500, "api_error")], {CHAT_COMPLETIONS: [chat_stream('{"criteria"', "length")]})
    end = (await judged(make_judge(server)))[-1]
    assert isinstance(end, Ungraded)
    assert "cut off" in end.reason


async def test_a_whole_chat_reply_is_read_as_a_judgement(serve: Serve) -> None:
    message = {"choices": [{"message": {"role": "assistant", "content": GOOD}, "finish_reason": "stop"}]}
    server = serve(
        [error_answer(500, "api_error")],
        {CHAT_COMPLETIONS: [json_answer(message)]},
    )
    assert isinstance((await judged(make_judge(server)))[-1], Judged)


async def test_the_key_for_an_own_server_goes_along(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-not-for-this-server")
    monkeypatch.setenv("EVALFORGE_API_KEY", "own-key-1234")
    server = serve([text_answer(GOOD)], {CHAT_COMPLETIONS: [chat_stream(GOOD)]})
    await judged(make_judge(server))
    assert server.headers(CHAT_COMPLETIONS)[0]["authorization"] == "Bearer own-key-1234"
    assert "sk-ant" not in str(server.headers(CHAT_COMPLETIONS))
