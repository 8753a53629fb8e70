"""How a host is started on each system."""

import sys
from pathlib import Path

import pytest

from evalforge.sandbox import isolation
from evalforge.sandbox.host import seatbelt


def test_on_linux_a_host_is_started_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert isolation.host_command("py", ["-s"], Path("/host"), ["3", "/tmp"]) == ["py", "-s", "/host", "3", "/tmp"]


def test_on_macos_a_host_is_started_inside_a_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(seatbelt, "available", lambda: True)
    command = isolation.host_command(sys.executable, ["-s"], Path("/host"), ["3", "/tmp"])
    assert command[0] == "/usr/bin/sandbox-exec"
    assert command[-5:] == [sys.executable, "-s", "/host", "3", "/tmp"]
    rules = command[command.index("-p") + 1]
    assert "(deny default)" in rules
    assert "(deny network*)" in rules
    assert "(allow process-fork)" in rules
