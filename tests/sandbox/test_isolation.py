"""How a host is started on each system."""

import sys
from pathlib import Path

import pytest

from evalforge.sandbox import isolation
from evalforge.sandbox.host.cage import seatbelt


def test_on_linux_a_host_is_started_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert isolation.host_command("py", ["-s"], Path("/host"), ["3", "/tmp"]) == ["py", "-s", "/host", "3", "/tmp"]


def test_on_macos_a_host_is_started_inside_a_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(seatbelt, "is_available", lambda: True)
    command = isolation.host_command(sys.executable, ["-s"], Path("/host"), ["3", "/tmp"])
    assert command[0] == "/usr/bin/sandbox-exec"
    assert command[-5:] == [sys.executable, "-s", "/host", "3", "/tmp"]
    rules = command[command.index("-p") + 1]
    assert "(deny default)" in rules
    assert "(deny network*)" in rules
    assert "(allow process-fork)" in rules


def test_what_must_stay_hidden_is_taken_out_of_what_may_be_read(tmp_path: Path) -> None:
    for name in ("lib/json/a", "lib/site-packages/evalforge/bosses", "lib/site-packages/other", "share"):
        (tmp_path / name).mkdir(parents=True)
    hidden = tmp_path / "lib/site-packages/evalforge"
    readable = isolation.exclude_hidden([str(tmp_path / "lib"), str(tmp_path / "share")], [hidden])
    assert sorted(readable) == [str(tmp_path / name) for name in ("lib/json", "lib/site-packages/other", "share")]
    assert isolation.exclude_hidden([str(hidden / "bosses")], [hidden]) == []


def test_nothing_changes_where_nothing_is_hidden_inside(tmp_path: Path) -> None:
    assert isolation.exclude_hidden(["/usr/lib", "/lib"], [tmp_path]) == ["/usr/lib", "/lib"]
