"""Which model a judge asks, at which server, within which budget. Light: no model SDK, no pydantic."""

import os
import re
from dataclasses import dataclass

DEFAULT_MODEL = "claude-sonnet-5-5"
DEFAULT_BUDGET_USD = 5.0
"""The most a session may cost, in dollars, unless the player sets a budget."""
_LOCAL_HOSTS = frozenset({"localhost", "host.docker.internal", "host.containers.internal"})
_ANTHROPIC_DOMAIN = "anthropic.com"
_URL_LOGIN = re.compile(r"^((?:[A-Za-z][\w+.-]*:(?=/))?/*)[^/?#]*@")
"""The start of an address with credentials, as in https://name:password@host; group 1 is the scheme."""


def split_models(text: str) -> tuple[str, ...]:
    """The names in a list with commas, such as ``claude-a, claude-b``."""
    return tuple(name for part in text.split(",") if (name := part.strip()))


@dataclass(frozen=True)
class ModelOptions:
    """What the player chose about models.

    Attributes:
        models: Names of models; a panel asks them in turn. Empty for the default.
        base_url: A server with the Messages API; empty for Anthropic's or what ``ANTHROPIC_BASE_URL`` names.
        budget: The most that all judging of a session may cost, in dollars; None for the default.
        repeat: Number of this judging if one submission is deliberately judged several times, each with a new call.
    """

    models: tuple[str, ...] = ()
    base_url: str = ""
    budget: float | None = None
    repeat: int = 0

    @property
    def server(self) -> str:
        """The server as it is shown and stored: its address without credentials; empty for Anthropic's."""
        return _URL_LOGIN.sub(r"\1", self.sdk_base_url)

    @property
    def sdk_base_url(self) -> str:
        """The effective base URL, without a trailing ``/v1`` (the SDK adds its own); for the SDK alone."""
        url = (self.base_url or os.environ.get("ANTHROPIC_BASE_URL", "")).strip().rstrip("/")
        return url.removesuffix("/v1").rstrip("/")

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine or this network: it costs nothing and needs no key."""
        return _is_private(self.scheme_and_host[1])

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine, so that nothing sent to it crosses a network."""
        return _is_loopback(self.scheme_and_host[1])

    @property
    def is_own_server(self) -> bool:
        """Whether the player named a server that isn't Anthropic's, which must not get their key for Anthropic.

        ``ANTHROPIC_BASE_URL`` is different: it is the SDK's own way to redirect its keys.
        """
        host = self.scheme_and_host[1]
        return bool(self.base_url.strip()) and host != _ANTHROPIC_DOMAIN and not host.endswith(f".{_ANTHROPIC_DOMAIN}")

    @property
    def may_carry_key(self) -> bool:
        """Whether others can't read a key sent there: it is encrypted, or never leaves this machine."""
        return not self.server or self.scheme_and_host[0] == "https" or self.is_loopback

    @property
    def scheme_and_host(self) -> tuple[str, str]:
        """The server's scheme and host; both empty if there is no server, or its address is invalid."""
        from urllib.parse import urlsplit

        try:
            parts = urlsplit(self.server)
        except ValueError:
            return "", ""
        return parts.scheme, parts.hostname or ""

    @property
    def models_to_ask(self) -> tuple[str, ...]:
        """The models to ask, at least one."""
        return self.models or (DEFAULT_MODEL,)

    @property
    def budget_usd(self) -> float:
        """The effective budget, in dollars."""
        return DEFAULT_BUDGET_USD if self.budget is None else self.budget


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_private(host: str) -> bool:
    if host in _LOCAL_HOSTS or host.endswith((".localhost", ".local", ".internal", ".lan")):
        return True
    import ipaddress

    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_private
