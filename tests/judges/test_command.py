"""The command line before a model judge: one result on stdout, everything else on stderr, exit statuses as ever."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import REPOSITORY
from tests.judges.always_top import always_top
from tests.messages_server import MessagesServer, error_answer, token_count

pytestmark = pytest.mark.usefixtures("warm_engine")

Serve = Callable[..., MessagesServer]
DUMMY = REPOSITORY / "bosses/training-dummy"
FLAWLESS, FIRST_WIN, WEAK = (DUMMY / "exemplars" / name for name in ("flawless", "first-win", "weak"))


def model(server: MessagesServer) -> list[str]:
    return ["--model", "m", "--base-url", server.url]


def test_a_model_fight_prints_one_result_and_the_rest_on_stderr(serve: Serve, own_home: Path) -> None:
    own_home.mkdir(exist_ok=True)
    (own_home / "prices.toml").write_text("[models]\nm = { input = 2.0, output = 10.0 }\n")
    server = serve(always_top, token_count(4321))
    ended = run("judge", "training-dummy", FLAWLESS, "--judge", "claude", "--json", *model(server))
    assert json.loads(ended.stdout)["verdict"] == "strong_pass", ended.stderr
    assert ended.returncode == 0
    for words in ("4,321 tokens, counted by the server", "about $0.", "struck: ", "spent: $0."):
        assert words in ended.stderr
    (row,) = json.loads(run("attempts", "--json").stdout)
    attempt = json.loads(run("attempt", row["id"], "--json").stdout)
    assert attempt["judge"]["name"] == "claude"
    assert attempt["judge"]["model"] == "m"
    assert attempt["cost"]["usd"] == pytest.approx(1000 * 2e-6 + 200 * 10e-6)


def test_a_generous_model_is_bounded_and_the_reason_is_shown(serve: Serve) -> None:
    ended = run("judge", "training-dummy", WEAK, "--plain", "--judge", "claude", "--no-save", *model(serve(always_top)))
    assert "Capped by the evidence: The judge chose" in ended.stdout
    assert ended.stdout.count("trials:") == 1


def test_a_model_that_is_gone_is_status_3_with_advice(serve: Serve) -> None:
    server = serve([error_answer(401, "authentication_error")])
    ended = run("judge", "training-dummy", FIRST_WIN, "--judge", "panel", "--json", *model(server))
    assert (ended.returncode, ended.stdout) == (3, "")
    assert "did not accept the key" in ended.stderr


@pytest.mark.parametrize("option", ["--no-save", "--plain"])
def test_only_a_saved_attempt_is_said_to_be_kept(serve: Serve, option: str) -> None:
    server = serve([error_answer(401, "authentication_error")])
    ended = run("judge", "training-dummy", FIRST_WIN, "--judge", "claude", option, *model(server))
    assert "Nothing was scored. To be judged without a model: --judge forge" in ended.stdout
    assert "kept" not in ended.stdout + ended.stderr
    assert ("Saved as attempt" in ended.stdout) is (option != "--no-save")
    assert len(json.loads(run("attempts", "--json").stdout)) == (option != "--no-save")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--judge", "claude"], "The claude judge is unavailable: no key"),
        (["--judge", "oracle"], "no judge called 'oracle'"),
        (["--judge", "claude", "--base-url", "http://localhost:1"], "no model is named"),
        (["--budget", "much"], "--budget can't be 'much'"),
        (["--budget", "-1"], "--budget can't be '-1'"),
    ],
)
def test_what_cannot_be_asked_is_wrong_usage(arguments: list[str], words: str) -> None:
    ended = run("judge", "training-dummy", FLAWLESS, *arguments)
    assert ended.returncode == 2
    assert words in ended.stderr


def test_file_and_variables_choose_model_server_and_budget(serve: Serve, own_home: Path) -> None:
    server = serve(always_top)
    (own_home / "config.toml").write_text(
        f'model = ["first", "second"]\nbase_url = "{server.url}/v1"\nbudget = 0\njudge = "claude"\n'
    )
    assert run("judge", "training-dummy", FIRST_WIN, "--json", "--no-save").returncode == 0
    assert run("judge", "training-dummy", WEAK, "--no-save", EVALFORGE_MODEL="third").returncode in (0, 1)
    assert [request["model"] for request in server.bodies()] == ["first", "third"]


def test_doctor_says_which_judges_work_and_why_not(serve: Serve) -> None:
    plain = run("doctor").stdout
    assert "off claude judge no key" in " ".join(plain.split())
    server = serve([])
    local = run("doctor", EVALFORGE_BASE_URL=server.url, EVALFORGE_MODEL="m").stdout
    assert f"m at {server.url}, no key needed (the default)" in " ".join(local.split())
    gone = run("doctor", EVALFORGE_BASE_URL="http://127.0.0.1:9", EVALFORGE_MODEL="m")
    assert "nothing answers at http://127.0.0.1:9" in " ".join(gone.stdout.split())
    assert gone.returncode == 1
