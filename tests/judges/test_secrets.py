"""A key goes to the server it is for, and nowhere else."""

import dataclasses
import json
import socket
import threading
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import pytest

from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.judges.availability import model_unavailable_reason
from evalforge.judges.model_judge import ClaudeJudge, ModelJudge
from evalforge.llm import credentials
from evalforge.llm.model_options import ModelOptions
from evalforge.model.events import Event, Judged, Saved, Ungraded
from evalforge.packs.pack import load_pack
from tests.conftest import REPOSITORY
from tests.judges.conftest import HASTY, judged, make_judge
from tests.judges.replies import judgement
from tests.messages_server import MessagesServer, error_answer, text_answer

Serve = Callable[..., MessagesServer]
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


def sdk_judge(server: MessagesServer, monkeypatch: pytest.MonkeyPatch) -> ModelJudge:
    """A judge whose server is named as the SDK's own: Anthropic's keys are meant for it."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    return ClaudeJudge(ModelOptions(("m",)), retry_policy=HASTY)


async def test_a_key_reaches_its_server(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    server = serve([error_answer(401, "authentication_error")])
    await judged(sdk_judge(server, monkeypatch))
    assert SECRET in json.dumps(server.headers())


async def test_a_server_of_ones_own_gets_its_own_key_and_no_other(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", f"X-Secret: {SECRET}\nX-More: {SECRET}")
    server = serve([error_answer(401, "authentication_error")])
    await judged(make_judge(server))
    monkeypatch.setenv("EVALFORGE_API_KEY", "a-key-of-its-own\n")
    await judged(make_judge(server))
    assert SECRET not in json.dumps(server.headers())
    assert server.headers()[-1]["authorization"] == "Bearer a-key-of-its-own"


async def test_no_key_travels_unencrypted_through_a_network(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("0.0.0.0", 0)) as listener:
        monkeypatch.setenv("EVALFORGE_API_KEY", SECRET)
        monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
        heads: list[bytes] = []

        def hear() -> None:
            peer, _ = listener.accept()
            with peer:
                heads.append(peer.recv(65_536))

        thread = threading.Thread(target=hear, daemon=True)
        thread.start()
        monkeypatch.setattr(socket, "getaddrinfo", resolving("box.lan"))
        once = dataclasses.replace(HASTY, max_attempts=1)
        await judged(make_judge(f"http://box.lan:{listener.getsockname()[1]}", patience=once))
        thread.join(5)
    assert heads
    assert SECRET.encode() not in heads[0]


def resolving(name: str) -> Callable[..., object]:
    """A look-up of names that knows one more, on this machine."""
    look_up = socket.getaddrinfo

    def resolve(host: object, *more: object, **options: object) -> object:
        return look_up("127.0.0.1" if host in (name, name.encode()) else host, *more, **options)  # type: ignore[arg-type]

    return resolve


@pytest.mark.parametrize(
    ("address", "variables", "found"),
    [
        ("", {"ANTHROPIC_API_KEY": "k"}, "ANTHROPIC_API_KEY"),
        ("", {"EVALFORGE_API_KEY": "k"}, ""),
        ("https://api.anthropic.com/v1", {"ANTHROPIC_API_KEY": "k"}, "ANTHROPIC_API_KEY"),
        ("https://anthropic.com.example.org", {"ANTHROPIC_API_KEY": "k"}, ""),
        ("https://notanthropic.com", {"ANTHROPIC_API_KEY": "k"}, ""),
        ("http://api.anthropic.com", {"ANTHROPIC_API_KEY": "k"}, ""),
        ("https://llm.example.org", {"ANTHROPIC_API_KEY": "k", "EVALFORGE_API_KEY": "o"}, "EVALFORGE_API_KEY"),
        ("http://192.168.0.7:8000", {"EVALFORGE_API_KEY": "o"}, ""),
        ("http://[::1]:8000", {"EVALFORGE_API_KEY": "o"}, "EVALFORGE_API_KEY"),
    ],
)
def test_which_key_goes_where(
    monkeypatch: pytest.MonkeyPatch, address: str, variables: dict[str, str], found: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert credentials.source_for(ModelOptions(("m",), address)) == found


def test_why_a_key_is_not_used_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    why = model_unavailable_reason(ModelOptions(("m",), "https://llm.example.org"))
    assert why.startswith("no key for https://llm.example.org: set EVALFORGE_API_KEY")


@pytest.mark.parametrize("variable", ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"])
@pytest.mark.parametrize("around", ["{}\n", "{}\r\n", " {}\t"])
async def test_white_space_around_a_key_is_no_part_of_it(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, around: str, variable: str
) -> None:
    monkeypatch.setenv(variable, around.format(SECRET))
    server = serve([error_answer(401, "authentication_error")])
    await judged(sdk_judge(server, monkeypatch))
    (headers,) = server.headers()
    assert {SECRET, f"Bearer {SECRET}"} & set(headers.values())


async def test_a_blank_key_gives_way_to_a_token(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", " ")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", SECRET)
    server = serve([error_answer(401, "authentication_error")])
    await judged(sdk_judge(server, monkeypatch))
    assert server.headers()[0]["authorization"] == f"Bearer {SECRET}"


async def test_an_unsendable_key_is_reported_once_without_its_value(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-api03\nvery-secret")
    server = serve([])
    events = await judged(sdk_judge(server, monkeypatch))
    end = events[-1]
    assert isinstance(end, Ungraded)
    assert end.reason == "The key can't be sent as a header."
    told = "".join(event.model_dump_json() for event in events)
    assert "trying again" not in told
    assert "very-secret" not in told
    assert not server.bodies()


async def test_a_local_server_gets_a_placeholder(serve: Serve) -> None:
    server = serve([error_answer(401, "authentication_error")])
    await judged(make_judge(server))
    assert any("local" in value for value in server.headers()[0].values())


async def test_a_key_is_in_no_event_or_history_or_reach_of_a_player(
    serve: Serve, own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("EVALFORGE_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, SECRET)
    pack = load_pack(REPOSITORY / "bosses" / "training-dummy")
    solution = tmp_path / "solution"
    solution.mkdir()
    (solution / pack.definition.metadata.entry_files[0]).write_text(SPY)
    echo = error_answer(
        403, "permission_error", f"key {SECRET} is not allowed; you sent Authorization: Bearer {SECRET}"
    )
    server = serve([text_answer(json.dumps(judgement({"nonsense": 1}))), echo])
    options = FightOptions(judge="claude", models=ModelOptions(("m",), server.url))
    events: list[Event] = []
    with History(own_home / "attempts.sqlite3") as history:
        async with Forge(history) as forge, aclosing(forge.fight(pack, solution, options)) as stream:
            events = [event async for event in stream]
        saved = events[-1]
        assert isinstance(saved, Saved)
        kept = history.get(saved.attempt_id).model_dump_json()
    told = "\n".join(event.model_dump_json() for event in events)
    sent = json.dumps(server.bodies())
    assert "not allowed" in told
    assert "ValueError" in told
    for text in (told, kept, sent):
        assert SECRET not in text
    assert not [path for path in files_below(own_home) if SECRET.encode() in path.read_bytes()]


async def test_a_password_in_an_address_reaches_only_its_server(serve: Serve, own_home: Path) -> None:
    server = serve([text_answer(json.dumps(judgement({"c0": 2, "c1": 1})))])
    address = server.url.replace("http://", "http://user:hunter22@")
    events = await judged(make_judge(address))
    assert isinstance(events[-1], Judged)
    assert "Basic " in json.dumps(server.headers())
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        events += await judged(make_judge(f"http://user:hunter22@127.0.0.1:{taken.getsockname()[1]}"))
    assert isinstance(events[-1], Ungraded)
    assert "hunter22" not in "".join(event.model_dump_json() for event in events)
    assert not [path for path in files_below(own_home) if b"hunter22" in path.read_bytes()]


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
