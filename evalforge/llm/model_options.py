"""Which model a judge asks, where, and for how much. Light: no model SDK, no pydantic."""

import os
import re
from dataclasses import dataclass

DEFAULT_MODEL = "claude-sonnet-5-5"
DEFAULT_BUDGET_USD = 5.0
"""Dollars a session may cost unless the player sets a budget."""
_LOCAL_HOSTS = frozenset({"localhost", "host.docker.internal", "host.containers.internal"})
_ANTHROPIC_DOMAIN = "anthropic.com"
_URL_LOGIN = re.compile(r"^((?:[A-Za-z][\w+.-]*:(?=/))?/*)[^/?#]*@")
"""The start of an address with a name and password, as in https://name:password@host; group 1 is the scheme."""


@dataclass(frozen=True)
class ModelOptions:
    """What the player chose about models.

    Attributes:
        models: Names of models; a panel asks them in turn. Empty for the default.
        base_url: A server that speaks the Messages API; empty for Anthropic's or what ``ANTHROPIC_BASE_URL`` names.
        budget: Dollars all judging of a session may cost; None for the default.
        repeat: Number of the judging where one submission is judged several times on purpose: each asks anew.
    """

    models: tuple[str, ...] = ()
    base_url: str = ""
    budget: float | None = None
    repeat: int = 0

    @property
    def server(self) -> str:
        """The server as it is shown and stored: its address without a name and password; empty for Anthropic's."""
        return _URL_LOGIN.sub(r"\1", self.sdk_base_url)

    @property
    def sdk_base_url(self) -> str:
        """The base URL in force, without a trailing ``/v1`` (the SDK adds its own); for the SDK alone."""
        url = (self.base_url or os.environ.get("ANTHROPIC_BASE_URL", "")).strip().rstrip("/")
        return url.removesuffix("/v1").rstrip("/")

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine or this network: it costs nothing and needs no key."""
        return _is_private(self.scheme_and_host[1])

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine, so that nothing sent to it passes a network."""
        return _is_loopback(self.scheme_and_host[1])

    @property
    def is_own_server(self) -> bool:
        """Whether the player named a server that isn't Anthropic's: their key for Anthropic was not meant for it.

        ``ANTHROPIC_BASE_URL`` is the SDK's own way to say where the keys beside it go.
        """
        host = self.scheme_and_host[1]
        return bool(self.base_url.strip()) and host != _ANTHROPIC_DOMAIN and not host.endswith(f".{_ANTHROPIC_DOMAIN}")

    @property
    def may_carry_key(self) -> bool:
        """Whether a key can be sent there unread by others: encrypted, or without leaving this machine."""
        return not self.server or self.scheme_and_host[0] == "https" or self.is_loopback

    @property
    def scheme_and_host(self) -> tuple[str, str]:
        """Scheme and host of the server; both empty where there is none, or its address isn't one."""
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
        """The budget in force, in dollars."""
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
