"""What ``evalforge doctor`` says is what a judging then does."""

import json
import platform
import shutil
import sys
import venv
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from jsonschema import Draft202012Validator

from evalforge.cli import health
from tests.command_line import Ended, run
from tests.database import execute_sql
from tests.judged import EXEMPLARS, FIRST_WIN
from tests.privileges import bound_by_permissions

pytestmark = pytest.mark.usefixtures("measured_once")


class _Usage(NamedTuple):
    """As ``shutil.disk_usage`` gives it."""

    total: int
    used: int
    free: int


def check(ended: Ended, name: str) -> dict[str, str]:
    """The check of this name; the first if there are several."""
    return next(each for each in json.loads(ended.stdout)["checks"] if each["name"] == name)


def test_it_says_what_works() -> None:
    ended = run("doctor")
    assert ended.returncode == 0
    for name in ("isolation", "interpreter", "history", "work disk", "bosses", "forge judge"):
        assert f"ok      {name} " in ended.stdout
    assert "off     claude judge " in ended.stdout
    assert "failed" not in ended.stdout


def test_its_json_meets_its_schema() -> None:
    report = json.loads(run("doctor", "--json").stdout)
    Draft202012Validator(json.loads(run("schema", "health-report").stdout)).validate(report)
    assert report["can_judge"] is True
    assert {each["state"] for each in report["checks"]} <= {"ok", "off", "note"}


def test_history_and_caches_are_named_with_their_sizes(own_home: Path) -> None:
    assert run("judge", "training-dummy", str(FIRST_WIN)).returncode == 0
    ended = run("doctor", "--json")
    size = (own_home / "attempts.sqlite3").stat().st_size
    assert check(ended, "settings")["message"].startswith(str(own_home / "config.toml"))
    assert check(ended, "history")["message"] == f"1 attempt in {own_home}/attempts.sqlite3, {size / 1000:.1f} kB"
    measured, replies = check(ended, "caches")["message"].split("; ")
    assert measured.endswith(f"kB of measurements in {own_home}/lab/evidence")
    assert replies == f"0 B of model replies in {own_home}/replies"


def test_ignored_settings_are_noted(own_home: Path) -> None:
    (own_home / "config.toml").write_text('theme = "nosuch"\nbosses = ["/nope"]\n')
    ended = run("doctor", EVALFORGE_BOSSES="/neither")
    assert ended.returncode == 0
    for words in ("none called 'nosuch'", "no folder /nope ", "no folder /neither "):
        assert words in " ".join(ended.stdout.split())
    assert "/bosses (named" not in ended.stdout


def test_wrong_counts_of_the_history_are_found_and_repaired(own_home: Path) -> None:
    assert run("judge", "training-dummy", str(FIRST_WIN)).returncode == 0
    execute_sql(own_home / "attempts.sqlite3", "UPDATE own_tries SET judged = 7")
    ended = run("doctor", "--json")
    assert ended.returncode == 1
    assert check(ended, "history")["remedy"] == "Run: evalforge doctor --repair"
    assert run("doctor", "--repair").returncode == 0
    assert run("doctor").returncode == 0


@pytest.mark.parametrize(("system", "machine"), [("Darwin", "arm64"), ("Linux", "aarch64")])
def test_an_untried_platform_is_noted(system: str, machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = SimpleNamespace(system=lambda: system, machine=lambda: machine, python_version=platform.python_version)
    monkeypatch.setattr(health, "platform", other)
    platforms = [each for each in json.loads(run("doctor", "--json").stdout)["checks"] if each["name"] == "platform"]
    assert [(each["state"], f"untested on {system} {machine}" in each["message"]) for each in platforms] == [
        ("note", True)
    ]


def test_a_judge_that_there_is_not_fails(own_home: Path) -> None:
    (own_home / "config.toml").write_text('judge = "nosuch"\n')
    ended = run("doctor", "--json")
    assert ended.returncode == 1
    assert "none called 'nosuch'" in check(ended, "judge")["message"]
    assert "forge" in check(ended, "judge")["remedy"]


def test_an_interpreter_that_is_none_fails_as_in_a_fight(tmp_path: Path) -> None:
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\necho no such thing >&2\nexit 1\n")
    script.chmod(0o755)
    ended = run("doctor", "--json", "--python", script)
    assert ended.returncode == 1
    assert check(ended, "isolation")["state"] == "ok"
    assert check(ended, "interpreter")["state"] == "failed"
    assert "no such thing" in check(ended, "interpreter")["message"]
    assert "3.9 or newer" in check(ended, "interpreter")["remedy"]
    assert run("judge", "training-dummy", FIRST_WIN, "--no-save", "--python", script).returncode == 3


def test_the_interpreter_of_a_fight_is_looked_at() -> None:
    ended = run("doctor", "--json", "--python", sys.executable)
    assert check(ended, "interpreter")["message"].endswith(sys.executable)
    assert check(ended, "interpreter")["state"] == "ok"


def test_an_interpreter_without_pytest_fails_as_in_a_fight(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    python = tmp_path / "bare" / "bin" / "python"
    # Nor does ours run there, as in a Python that is too old for it.
    (library,) = (tmp_path / "bare" / "lib").glob("python3*/site-packages")
    (library / "without.pth").write_text("import sys; sys.modules['pluggy'] = None\n")
    ended = run("doctor", "--json", "--python", python)
    assert ended.returncode == 1
    assert "has none" in check(ended, "interpreter")["message"]
    assert check(ended, "interpreter")["remedy"].endswith(f"{python} -m pip install pytest")
    fight = run("judge", "training-dummy", EXEMPLARS / "flawless", "--no-save", "--python", python)
    assert fight.returncode == 3
    assert "The tests need pytest" in fight.stdout
    assert "7 of 7, pass at" not in fight.stdout
    assert " %" not in fight.stdout


def test_a_history_that_cannot_be_written_fails(own_home: Path) -> None:
    run("attempts")
    (own_home / "attempts.sqlite3").chmod(0o400)
    with bound_by_permissions():
        ended = run("doctor", "--json")
        fight = run("judge", "training-dummy", FIRST_WIN)
    assert ended.returncode == 1
    assert "can't be written" in check(ended, "history")["message"]
    assert check(ended, "history")["remedy"]
    assert fight.returncode == 2
    assert "--no-save" in fight.stderr


@pytest.mark.parametrize(("name", "variable"), [("state disk", "EVALFORGE_HOME"), ("work disk", "TMPDIR")])
def test_a_full_disk_fails(name: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: _Usage(1, 1, 0))
    ended = run("doctor", "--json")
    assert ended.returncode == 1
    assert "0 MB free" in check(ended, name)["message"]
    assert variable in check(ended, name)["remedy"]


def test_a_disk_that_is_nearly_full_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: _Usage(2**30, 2**30 - 2**20, 2**20))
    ended = run("doctor", "--json")
    assert ended.returncode == 0
    assert check(ended, "state disk")["state"] == "note"
    assert "EVALFORGE_HOME" in check(ended, "state disk")["remedy"]
    assert "a fight may need 128 MB" in check(ended, "work disk")["message"]


def test_every_failure_has_a_remedy_and_shows_it(own_home: Path) -> None:
    (own_home / "attempts.sqlite3").write_bytes(b"not a database at all" * 99)
    ended = run("doctor")
    assert ended.returncode == 1
    lines = ended.stdout.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("failed  history"))
    assert "Move the file away" in " ".join(" ".join(lines[place + 1 : place + 3]).split())
