"""Who judges: the forge without a key, claude with one; every refusal says why."""

import json
from pathlib import Path

import pytest

from evalforge.judges.availability import default_judge
from evalforge.judges.registry import judge_offers, make_judge
from evalforge.llm import credentials
from evalforge.llm.model_options import DEFAULT_MODEL, ModelOptions
from evalforge.model.errors import UsageError


def profile(folder: Path, name: str) -> None:
    (folder / "configs").mkdir(parents=True, exist_ok=True)
    (folder / "configs" / f"{name}.json").write_text("{}")


def test_without_credentials_the_forge_judges_and_says_why() -> None:
    assert default_judge() == "forge"
    forge, claude = judge_offers()
    assert (forge.name, forge.is_available) == ("forge", True)
    assert (claude.name, claude.is_available) == ("claude", False)
    assert "ANTHROPIC_API_KEY" in claude.description


def test_with_a_key_claude_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-secret")
    assert default_judge() == "claude"
    assert make_judge("").info.model == DEFAULT_MODEL
    assert make_judge("panel", ModelOptions(("a", "b"))).info.model == "a,b"
    told = " ".join(offer.description for offer in judge_offers())
    assert "ANTHROPIC_API_KEY" in told
    assert "secret" not in told


@pytest.mark.parametrize(
    ("variables", "found"),
    [
        ({}, ""),
        ({"ANTHROPIC_API_KEY": " "}, ""),
        ({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_AUTH_TOKEN": "t"}, "ANTHROPIC_API_KEY"),
        ({"ANTHROPIC_AUTH_TOKEN": "t", "ANTHROPIC_PROFILE": "p"}, "ANTHROPIC_AUTH_TOKEN"),
        ({"ANTHROPIC_PROFILE": "p"}, "profile p"),
        ({"ANTHROPIC_FEDERATION_RULE_ID": "r", "ANTHROPIC_ORGANIZATION_ID": "o"}, ""),
        (
            {"ANTHROPIC_FEDERATION_RULE_ID": "r", "ANTHROPIC_ORGANIZATION_ID": "o", "ANTHROPIC_IDENTITY_TOKEN": "t"},
            "workload identity",
        ),
    ],
)
def test_credentials_are_looked_for_in_the_sdks_order(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], found: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert credentials.source() == found


def test_the_active_profile_on_disk_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile(tmp_path / ".config" / "anthropic", "default")
    assert credentials.source() == "profile default"
    profile(tmp_path / "own", "work")
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path / "own"))
    assert credentials.source() == ""
    (tmp_path / "own" / "active_config").write_text("work\n")
    assert credentials.source() == "profile work"
    (tmp_path / "own" / "active_config").write_text("../../etc/passwd")
    assert credentials.source() == ""


def test_where_we_find_credentials_the_sdk_finds_them_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from anthropic import Anthropic

    folder = tmp_path / ".config" / "anthropic"
    profile(folder, "default")
    (folder / "configs" / "default.json").write_text(json.dumps({"authentication": {"type": "user_oauth"}}))
    assert credentials.source() == "profile default"
    assert Anthropic().credentials is not None
    (folder / "configs" / "default.json").unlink()
    assert credentials.source() == ""
    assert Anthropic().credentials is None
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "t")
    assert Anthropic().auth_token == "t"


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("oracle", ModelOptions(), "no judge called 'oracle'"),
        ("claude", ModelOptions(), "no key"),
        ("claude", ModelOptions(base_url="http://localhost:11434"), "no model is named for http://localhost:11434"),
        ("claude", ModelOptions(("m",), "ftp://localhost"), "not an http address"),
        ("claude", ModelOptions(("m",), "http://example.com"), "not encrypted"),
        ("claude", ModelOptions(("m",), "http://[::1:8080"), "not an http address"),
        ("claude", ModelOptions(("m",), "https://example.com"), "no key"),
    ],
)
def test_a_judge_that_cannot_be_had_is_refused_with_the_reason(name: str, options: ModelOptions, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make_judge(name, options)


def test_a_local_server_needs_a_model_and_no_key() -> None:
    options = ModelOptions(("qwen",), "http://localhost:11434/v1/")
    assert options.server == "http://localhost:11434"
    assert default_judge(options) == "claude"
    assert make_judge("claude", options).info.model == "qwen"


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:1", True),
        ("http://[::1]:1", True),
        ("http://192.168.1.7", True),
        ("http://box.local", True),
        ("https://api.anthropic.com", False),
        ("https://8.8.8.8", False),
        ("", False),
        ("http://localhost.example.com", False),
        ("http://[::1:8080", False),
    ],
)
def test_a_local_server_is_told_by_its_address(url: str, local: bool) -> None:
    assert ModelOptions(base_url=url).is_local is local


def test_the_environments_server_is_used_where_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://localhost:9/v1")
    assert ModelOptions().server == "http://localhost:9"
    assert ModelOptions(base_url="https://gateway.example").server == "https://gateway.example"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://user:pass@localhost:9/v1/", "http://localhost:9"),
        ("https://us%40er:p@ss@gateway.example/a@b", "https://gateway.example/a@b"),
        ("https://token@gateway.example", "https://gateway.example"),
        ("user:pass@host", "host"),
        ("http://u:p@[::1]:9", "http://[::1]:9"),
        ("https://gateway.example/a@b", "https://gateway.example/a@b"),
    ],
)
def test_a_password_in_an_address_is_for_the_sdk_alone(url: str, shown: str) -> None:
    options = ModelOptions(("m",), url)
    assert options.server == shown
    assert options.sdk_base_url == url.rstrip("/").removesuffix("/v1")
    assert "pass" not in " ".join(offer.description for offer in judge_offers(options))


def test_secrets_are_hidden_in_what_a_server_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "tok-123456")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Team: swordfish\nX-B: c")
    told = credentials.redact("bad token tok-123456 for sk-ant-api03-zz_Z by swordfish")
    assert told == "bad token [hidden] for [hidden] by [hidden]"
    assert credentials.redact("no route to https://user:pass@host/x") == "no route to https://[hidden]@host/x"
