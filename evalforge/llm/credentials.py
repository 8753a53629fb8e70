"""Decides which key goes to which server, without importing the SDK, and cleans the key for sending.

Anthropic's keys go to Anthropic, or to where ``ANTHROPIC_BASE_URL`` sends them. A server that the player names
(``--base-url``) gets the key that is set for it, ``EVALFORGE_API_KEY``, and no other. No key travels over plain http,
except on this machine.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from evalforge.llm.model_options import ModelOptions

OWN_KEY = "EVALFORGE_API_KEY"
"""The variable with the key for a server of the player's own."""
_CUSTOM_HEADERS = "ANTHROPIC_CUSTOM_HEADERS"
_PLACEHOLDER_KEY = "local"
_MIN_SECRET_CHARS = 6
"""A shorter value isn't a secret, and may occur in any text."""
_KEY_SHAPE = re.compile(r"sk-ant-[A-Za-z0-9_-]+")
_URL_LOGIN = re.compile(r"(?<=://)[^/?#\s]*@")  # as in https://name:password@host
_SDK_ARGUMENTS = {"ANTHROPIC_API_KEY": "api_key", "ANTHROPIC_AUTH_TOKEN": "auth_token"}
"""Variables that hold a key or a token itself, the one that counts first, and what the SDK calls it."""
_FEDERATION_VARIABLES = ("ANTHROPIC_FEDERATION_RULE_ID", "ANTHROPIC_ORGANIZATION_ID")
_IDENTITY_VARIABLES = ("ANTHROPIC_IDENTITY_TOKEN", "ANTHROPIC_IDENTITY_TOKEN_FILE")
SECRET_VARIABLES = (OWN_KEY, "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_IDENTITY_TOKEN", _CUSTOM_HEADERS)
"""Variables whose values must never appear in the player's code, in an event or in history."""


def source_for(options: ModelOptions) -> str:
    """Return the source of the credentials for a server, such as ``ANTHROPIC_API_KEY``; empty if it gets none."""
    if not options.may_carry_key:
        return ""
    if options.is_own_server:
        return OWN_KEY if _own_key() else ""
    return source()


def arguments_for(options: ModelOptions) -> dict[str, str]:
    """Return the key or token for a server as an SDK client argument; empty if the SDK is to find one itself."""
    if source_for(options) == "":
        # The SDK demands a key even where none is needed; given none, it would use any key it finds.
        return {"api_key": _PLACEHOLDER_KEY}
    return {"api_key": _own_key()} if options.is_own_server else from_environment()


def bearer_header(options: ModelOptions) -> dict[str, str]:
    """Return the header with the key for the player's own server; empty if it gets none."""
    return {"authorization": f"Bearer {_own_key()}"} if source_for(options) == OWN_KEY else {}


def withheld_headers(options: ModelOptions) -> tuple[str, ...]:
    """Name the player's headers for Anthropic that may hold a secret and must not be sent to this server."""
    if options.may_carry_key and not options.is_own_server:
        return ()
    lines = os.environ.get(_CUSTOM_HEADERS, "").split("\n")
    return tuple(name.strip() for name, colon, _ in (line.partition(":") for line in lines) if colon and name.strip())


def _own_key() -> str:
    return os.environ.get(OWN_KEY, "").strip()


def source() -> str:
    """Return where the SDK would find its credentials, such as ``ANTHROPIC_API_KEY``; empty if nowhere.

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
    """Return the key or token in the environment as an argument of the SDK's client; empty if there is none.

    Surrounding white space, such as the line end of the file it came from, is stripped: headers can't contain it.
    """
    for name, secret in _static_secrets():
        return {_SDK_ARGUMENTS[name]: secret}
    return {}


def _static_secrets() -> Iterator[tuple[str, str]]:
    """Yield the variables that hold a key or token, each with its value, the one that counts first."""
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
    """Return the name of the active profile on disk, if its file exists."""
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
    """Remove all of our secrets from a text: a server's error message may repeat what it was sent."""
    for name in SECRET_VARIABLES:
        secret = os.environ.get(name, "").strip()
        for part in [secret, *(line.partition(":")[2].strip() for line in secret.splitlines())]:
            if len(part) >= _MIN_SECRET_CHARS:
                text = text.replace(part, "[hidden]")
    return _KEY_SHAPE.sub("[hidden]", _URL_LOGIN.sub("[hidden]@", text))
