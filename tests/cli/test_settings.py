"""Flags, variables and ``config.toml``: which holds, and what is said of one that can't be used."""

from pathlib import Path

import pytest

from evalforge.cli import settings
from evalforge.cli.parser import command_line
from tests.command_line import run
from tests.judged import FIRST_WIN


def judge_in_force(*arguments: str) -> str:
    return settings.load(command_line().parse_args(["judge", "training-dummy", "/", *arguments])).judge


def test_a_key_alone_makes_no_paid_judge_of_a_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key")
    for is_terminal, judge in ((False, "forge"), (True, "claude")):
        monkeypatch.setattr("sys.stdout.isatty", lambda answer=is_terminal: answer)
        assert judge_in_force() == judge
        assert judge_in_force("--judge", "claude") == "claude"


def test_a_free_local_server_is_the_default_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: False)
    assert judge_in_force("--base-url", "http://127.0.0.1:9", "--model", "m") == "claude"


@pytest.mark.parametrize(
    ("name", "value"), [("EVALFORGE_BUDGET", "much"), ("EVALFORGE_MOTION", "wild"), ("EVALFORGE_PYTHON", "/no/such")]
)
def test_a_damaged_variable_is_named(name: str, value: str) -> None:
    ended = run("judge", "training-dummy", FIRST_WIN, "--no-save", **{name: value})
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"evalforge: {name} ")


def test_a_damaged_line_of_the_configuration_is_named(own_home: Path) -> None:
    (own_home / "config.toml").write_text('motion = "wild"\n')
    assert f"{own_home}/config.toml: motion can't be 'wild'" in run("bosses").stderr


@pytest.mark.usefixtures("measured_once")
def test_the_configuration_lies_where_settings_do(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVALFORGE_HOME")
    former, place = own_home / ".data" / "evalforge", own_home / ".config" / "evalforge"
    for folder in (former, place):
        folder.mkdir(parents=True)
    assert f"settings          {place}/config.toml (missing" in run("doctor").stdout
    (former / "config.toml").write_text('judge = "panel"\n')
    assert judge_in_force() == "panel"
    (place / "config.toml").write_text('judge = "forge+words"\n')
    assert judge_in_force() == "forge+words"


def test_an_interpreter_is_looked_up_on_the_path(tmp_path: Path) -> None:
    script = tmp_path / "python-of-mine"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    arguments = command_line().parse_args(["judge", "training-dummy", "/", "--python", script.name])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        assert settings.load(arguments).python == str(script)


@pytest.mark.parametrize("command", ["batch", "calibrate", "check", "bosses"])
def test_trust_is_refused_where_it_has_no_effect(command: str) -> None:
    arguments = {
        "bosses": (),
        "batch": ("training-dummy", "/nowhere"),
    }.get(command, ("training-dummy",))
    ended = run("--i-trust-this-code", command, *arguments)
    assert ended.returncode == 2
    assert "--i-trust-this-code" in ended.stderr


@pytest.mark.parametrize("command", ["judge", "impostors", "watch"])
def test_trust_may_precede_the_commands_that_have_it(command: str) -> None:
    ended = run("--i-trust-this-code", command, "training-dummy", "/nowhere")
    assert "/nowhere does not exist" in ended.stderr
