"""A key goes to the server it is for, and nowhere else."""

import json
import socket
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.llm.options import ModelOptions
from evalforge.model.events import Event, Judged, Saved, Ungraded
from evalforge.packs.pack import load_pack
from tests.conftest import REPOSITORY
from tests.judges.conftest import judged, make_judge
from tests.judges.server import ScriptedServer, fails, judgement, says

Serve = Callable[..., ScriptedServer]
SECRET = "sk-ant-api03-very-secret-key"
SPY = """
import os
env = dict(os.environ)
try:
    env["parent"] = open("/proc/1/environ", errors="replace").read()
except OSError as error:
    env["parent"] = str(error)
print(env)
raise ValueError(str(env))
"""


async def test_a_key_reaches_its_server(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    server = serve([fails(401, "authentication_error")])
    await judged(make_judge(server))
    assert SECRET in json.dumps(server.headers)


@pytest.mark.parametrize("variable", ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"])
@pytest.mark.parametrize("around", ["{}\n", "{}\r\n", " {}\t"])
async def test_white_space_around_a_key_is_no_part_of_it(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, around: str, variable: str
) -> None:
    monkeypatch.setenv(variable, around.format(SECRET))
    server = serve([fails(401, "authentication_error")])
    await judged(make_judge(server))
    (headers,) = server.headers
    assert {SECRET, f"Bearer {SECRET}"} & set(headers.values())


async def test_a_blank_key_gives_way_to_a_token(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", " ")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", SECRET)
    server = serve([fails(401, "authentication_error")])
    await judged(make_judge(server))
    assert server.headers[0]["authorization"] == f"Bearer {SECRET}"


async def test_an_unsendable_key_is_reported_once_without_its_value(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-api03\nvery-secret")
    server = serve([])
    events = await judged(make_judge(server))
    end = events[-1]
    assert isinstance(end, Ungraded)
    assert end.reason == "The key can't be sent as a header."
    told = "".join(event.model_dump_json() for event in events)
    assert "trying again" not in told
    assert "very-secret" not in told
    assert not server.requests


async def test_a_local_server_gets_a_placeholder(serve: Serve) -> None:
    server = serve([fails(401, "authentication_error")])
    await judged(make_judge(server))
    assert any("local" in value for value in server.headers[0].values())


async def test_a_key_is_in_no_event_or_history_or_reach_of_a_player(
    serve: Serve, own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, SECRET)
    pack = load_pack(REPOSITORY / "bosses" / "training-dummy")
    solution = tmp_path / "solution"
    solution.mkdir()
    (solution / pack.definition.metadata.entry_files[0]).write_text(SPY)
    echo = fails(403, "permission_error", f"key {SECRET} is not allowed; you sent Authorization: Bearer {SECRET}")
    server = serve([says(json.dumps(judgement({"nonsense": 1}))), echo])
    history = History(own_home / "attempts.sqlite3")
    options = FightOptions(judge="claude", models=ModelOptions(("m",), server.url))
    events: list[Event] = []
    async with Forge(history) as forge, aclosing(forge.fight(pack, solution, options)) as stream:
        events = [event async for event in stream]
    saved = events[-1]
    assert isinstance(saved, Saved)
    told = "\n".join(event.model_dump_json() for event in events)
    kept = history.get(saved.attempt_id).model_dump_json()
    sent = json.dumps(server.requests)
    history.close()
    assert "not allowed" in told
    assert "ValueError" in told
    for text in (told, kept, sent):
        assert SECRET not in text
    assert not [path for path in files_below(own_home) if SECRET.encode() in path.read_bytes()]


async def test_a_password_in_an_address_reaches_only_its_server(serve: Serve, own_home: Path) -> None:
    server = serve([says(json.dumps(judgement({"c0": 2, "c1": 1})))])
    address = server.url.replace("http://", "http://user:hunter22@")
    events = await judged(make_judge(address))
    assert isinstance(events[-1], Judged)
    assert "Basic " in json.dumps(server.headers)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        events += await judged(make_judge(f"http://user:hunter22@127.0.0.1:{taken.getsockname()[1]}"))
    assert isinstance(events[-1], Ungraded)
    assert "hunter22" not in "".join(event.model_dump_json() for event in events)
    assert not [path for path in files_below(own_home) if b"hunter22" in path.read_bytes()]


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
