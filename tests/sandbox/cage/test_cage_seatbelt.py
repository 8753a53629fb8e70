"""The macOS profile, as text: what it denies, what it grants, and that no path can break out of it."""

from __future__ import annotations

import re

import pytest


@pytest.fixture
def seatbelt(host):
    return host.seatbelt


def test_everything_is_denied_by_default(seatbelt):
    rules = seatbelt.profile_text(1, 1, 1).splitlines()
    assert rules[:2] == ["(version 1)", "(deny default)"]
    assert "(deny network*)" in rules


@pytest.mark.parametrize(("allowed", "rule"), [(False, "(deny process-fork)"), (True, "(allow process-fork)")])
def test_forking_is_said_either_way(seatbelt, allowed, rule):
    assert rule in seatbelt.profile_text(0, 0, 1, allow_fork=allowed).splitlines()


def test_only_work_is_written(seatbelt):
    writes = [line for line in seatbelt.profile_text(2, 1, 1).splitlines() if "file-write" in line]
    assert writes == [
        '(allow file-read* file-write* (literal "/dev/null"))',
        '(allow file-read* file-write* (subpath (param "WORK0")))',
    ]


def test_parentheses_match(seatbelt):
    depth = 0
    for sign in re.sub(r'"[^"]*"', "", seatbelt.profile_text(3, 2, 2, True)):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0


def test_paths_travel_as_parameters(seatbelt, tmp_path):
    odd = tmp_path / 'a") (allow default) ("'
    command = seatbelt.wrap_command(["/bin/sh", "-c", "true"], read=["/usr"], work=[str(odd)])
    assert f"WORK0={odd.resolve()}" in command
    assert "allow default" not in command[command.index("-p") + 1]
    assert command[-3:] == ["/bin/sh", "-c", "true"]


def test_every_parameter_of_the_profile_is_given(seatbelt):
    command = seatbelt.wrap_command(["/bin/sh"], read=["/usr", "/etc"], work=["/tmp"], interpreters=["/bin/ls"])
    wanted = set(re.findall(r'param "(\w+)"', command[command.index("-p") + 1]))
    assert wanted == {word.split("=")[0] for word in command if "=" in word}


def test_links_are_resolved_because_rules_see_real_paths(seatbelt, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert f"WORK0={tmp_path.resolve()}/real" in seatbelt.wrap_command(["/bin/sh"], work=[str(tmp_path / "link")])
