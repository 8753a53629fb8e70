"""The bosses over the Model Context Protocol: a real server process, asked by the SDK's own client."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import Implementation, TextContent

from tests.command_line import run, run_in

REPOSITORY = Path(__file__).resolve().parents[2]
DUMMY = REPOSITORY / "bosses" / "training-dummy"


@asynccontextmanager
async def serving(folder: Path, *options: str) -> AsyncGenerator[Client]:
    """A client of a server that was started in a folder."""
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "evalforge", "mcp", *options], cwd=folder, env=dict(os.environ)
    )
    name = Implementation(name="test-agent", version="1")
    with Path(os.devnull).open("w") as nowhere:  # noqa: ASYNC230
        async with Client(stdio_client(parameters, errlog=nowhere), client_info=name) as client:
            yield client


async def asked(client: Client, tool: str, **arguments: str) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    data = result.structured_content or {}
    return data.get("result", data)


async def refused(client: Client, tool: str, **arguments: str) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    words = result.content[0]
    assert isinstance(words, TextContent)
    return words.text


def hidden_words() -> list[str]:
    """Lines that stand in trials and nowhere else."""
    lines = [line.strip() for path in (DUMMY / "trials").glob("*.py") for line in path.read_text().splitlines()]
    return [line for line in lines if line.startswith(("assert ", "run = ", "def "))]


async def test_an_agent_reads_builds_and_learns_why(tmp_path: Path, own_home: Path) -> None:
    shutil.copytree(DUMMY / "exemplars" / "weak", tmp_path / "mine", ignore=shutil.ignore_patterns("gold.yaml"))
    steps: list[tuple[float, float | None, str | None]] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        steps.append((done, total, message))

    async with serving(tmp_path) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {
            *("list_bosses", "read_contract", "read_rubric", "judge_folder", "explain_attempt", "next_step")
        }
        bosses = await asked(client, "list_bosses")
        assert "training-dummy" in {boss["boss_id"] for boss in bosses}
        contract = await asked(client, "read_contract", boss_id="training-dummy")
        assert contract["entry_files"] == ["dummy.py"]
        rubric = await asked(client, "read_rubric", boss_id="training-dummy")
        judged = await client.call_tool(
            "judge_folder", {"boss_id": "training-dummy", "directory": "mine"}, progress_callback=progress
        )
        feedback = judged.structured_content or {}
        criterion = rubric["criteria"][0]["id"]
        attempt_id = feedback["attempt_id"]
        reason = await asked(client, "explain_attempt", attempt_id=attempt_id, criterion=criterion)
        step = await asked(client, "next_step", attempt_id=attempt_id)
        seen = json.dumps([contract, rubric, feedback, reason, step])
    assert (feedback["verdict"], feedback["passed"]) == ("fail", False)
    assert feedback["failed_trial_count"] == len(feedback["failed_trials"]) > 0
    assert reason["criterion_id"] == criterion
    assert step["next_step"] == feedback["improvements"][0]
    assert [done for done, _, _ in steps] == list(range(1, len(steps) + 1))
    assert steps[-1][0] == steps[-1][1]
    assert [words for words in hidden_words() if words in seen] == []
    stored = json.loads(run("attempt", attempt_id, "--json").stdout)
    assert (stored["agent"], stored["state"], stored["result"]["verdict"]) == ("test-agent", "judged", "fail")
    # The same path as `judge`: the same stream of events.
    kinds = [event["kind"] for event in stored["events"]]
    assert (kinds[:2], kinds[-1]) == (["started", "collected"], "judged")


async def test_what_an_agent_may_not_hand_in_or_read(tmp_path: Path, own_home: Path) -> None:
    yard = tmp_path / "yard"
    yard.mkdir()
    (yard / "link").symlink_to(DUMMY / "exemplars" / "flawless")
    (yard / "packs").mkdir()
    shutil.copytree(DUMMY, yard / "packs" / "training-dummy")
    async with serving(yard, "--bosses", str(yard / "packs")) as client:
        for directory in ("..", str(DUMMY / "exemplars" / "flawless"), "link"):
            assert "lies outside of" in await refused(
                client, "judge_folder", boss_id="training-dummy", directory=directory
            )
        for directory in (".", "packs", "packs/training-dummy/exemplars/flawless"):
            words = await refused(client, "judge_folder", boss_id="training-dummy", directory=directory)
            assert "holds or belongs to a boss pack" in words
        assert "There is no boss called" in await refused(client, "read_rubric", boss_id=str(DUMMY))
        assert "There is no attempt" in await refused(client, "next_step", attempt_id="zz")
        assert "There is no attempt" in await refused(client, "explain_attempt", attempt_id="", criterion="x")
    assert json.loads(run("attempts", "--json").stdout) == []


async def test_an_agents_tries_are_no_progress_of_the_player(tmp_path: Path, own_home: Path) -> None:
    shutil.copytree(DUMMY / "exemplars" / "first-win", tmp_path / "mine")
    async with serving(tmp_path, "--agent", "smith") as client:
        feedback = await asked(client, "judge_folder", boss_id="training-dummy", directory="mine")
    assert feedback["passed"]
    rows = json.loads(run("attempts", "--json").stdout)
    assert [(row["agent"], row["number"]) for row in rows] == [("smith", 1)]
    assert "smith: " in run("attempts").stdout
    assert "agent 1" in run("attempts").stdout
    assert "by the agent smith" in run("attempt", rows[0]["id"]).stdout
    dummy = next(boss for boss in json.loads(run("bosses", "--json").stdout) if boss["boss_id"] == "training-dummy")
    assert dummy["tries"] == 0
    assert "No attempt" in run("progress").stdout or "0" in run("progress").stdout


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    ended = run_in(tmp_path, "mcp", "--folder", tmp_path / "nowhere")
    assert (ended.returncode, "doesn't exist" in ended.stderr or "nowhere" in ended.stderr) == (2, True)


def test_without_the_sdk_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    monkeypatch.delitem(sys.modules, "evalforge.agents.mcp_server", raising=False)
    ended = run_in(tmp_path, "mcp")
    assert (ended.returncode, "mcp" in ended.stderr, "install" in ended.stderr) == (2, True, True)


def test_a_line_that_is_not_a_message_is_answered(tmp_path: Path, own_home: Path) -> None:
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}
    lines = [
        json.dumps(begin).encode(),
        b"",
        b"garbage",
        b"[" * 100_000,
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\\ud800"}}',
        b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}',
        b'{"jsonrpc":"2.0","id":"nine","method":9}',
        b'{"jsonrpc":"2.0","id":true,"method":9}',
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
        b'{"jsonrpc":"2.0","id":10,"method":"ping"}',
    ]
    command = [sys.executable, "-m", "evalforge", "mcp"]
    ended = subprocess.run(command, input=b"\n".join(lines) + b"\n", capture_output=True, cwd=tmp_path, timeout=60)
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    errors = [(answer["id"], answer["error"]["code"]) for answer in answers if "error" in answer]
    assert errors == [(None, -32700), (None, -32700), (7, -32700), ("\ufffd", -32700), ("nine", -32600), (None, -32600)]
    assert {answer["id"] for answer in answers if "result" in answer} == {1, 10}
    assert (ended.returncode, ended.stderr) == (0, b"")
