"""Where the model SDK would take its key from, found out without importing it, and the key as it can be sent."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

_MIN_SECRET_CHARS = 6
"""A shorter value is no secret, and may be part of any text."""
_KEY_SHAPE = re.compile(r"sk-ant-[A-Za-z0-9_-]+")
_URL_LOGIN = re.compile(r"(?<=://)[^/?#\s]*@")  # as in https://name:password@host
_SDK_ARGUMENTS = {"ANTHROPIC_API_KEY": "api_key", "ANTHROPIC_AUTH_TOKEN": "auth_token"}
"""Variables that hold a key or a token itself, the one that counts first, and what the SDK calls it."""
_FEDERATION_VARIABLES = ("ANTHROPIC_FEDERATION_RULE_ID", "ANTHROPIC_ORGANIZATION_ID")
_IDENTITY_VARIABLES = ("ANTHROPIC_IDENTITY_TOKEN", "ANTHROPIC_IDENTITY_TOKEN_FILE")
SECRET_VARIABLES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_IDENTITY_TOKEN", "ANTHROPIC_CUSTOM_HEADERS")
"""Variables whose values must never be seen: by the player's code, in an event, in history."""


def source() -> str:
    """Where the SDK would take its credentials from, such as ``ANTHROPIC_API_KEY``; empty if it has none.

    The order is the SDK's: key, token, named profile, workload identity, the active profile on disk.
    """
    for name, _ in _static_secrets():
        return name
    profile = os.environ.get("ANTHROPIC_PROFILE", "")
    if profile:
        return f"profile {profile}"
    is_federated = all(os.environ.get(name) for name in _FEDERATION_VARIABLES)
    if is_federated and any(os.environ.get(name) for name in _IDENTITY_VARIABLES):
        return "workload identity"
    active = _active_profile()
    return f"profile {active}" if active else ""


def from_environment() -> dict[str, str]:
    """The key or token of the environment as an argument of the SDK's client; empty if there is none.

    White space around it, such as the line end of the file it came from, is no part of it: no header may hold that.
    """
    for name, secret in _static_secrets():
        return {_SDK_ARGUMENTS[name]: secret}
    return {}


def _static_secrets() -> Iterator[tuple[str, str]]:
    """The variables that hold a key or a token, each with its value, the one that counts first."""
    stripped = ((name, os.environ.get(name, "").strip()) for name in _SDK_ARGUMENTS)
    return ((name, secret) for name, secret in stripped if secret)


def _config_folder() -> Path:
    configured = os.environ.get("ANTHROPIC_CONFIG_DIR")
    if configured:
        return Path(configured)
    if sys.platform == "win32":
        roaming = os.environ.get("APPDATA")
        return (Path(roaming) if roaming else Path.home() / "AppData" / "Roaming") / "Anthropic"
    return Path.home() / ".config" / "anthropic"


def _active_profile() -> str:
    """The profile on disk that is in force, if its file is there."""
    try:
        folder = _config_folder()
        pointer = folder / "active_config"
        name = pointer.read_text("utf-8").strip() if pointer.is_file() else ""
        name = name or "default"
        is_plain = Path(name).name == name and not name.startswith(".")
        return name if is_plain and (folder / "configs" / f"{name}.json").is_file() else ""
    except (OSError, UnicodeDecodeError, RuntimeError):
        return ""


def redact(text: str) -> str:
    """A text without any secret of ours: a server's error message may repeat what it was sent."""
    for name in SECRET_VARIABLES:
        secret = os.environ.get(name, "").strip()
        for part in [secret, *(line.partition(":")[2].strip() for line in secret.splitlines())]:
            if len(part) >= _MIN_SECRET_CHARS:
                text = text.replace(part, "[hidden]")
    return _KEY_SHAPE.sub("[hidden]", _URL_LOGIN.sub("[hidden]@", text))
