"""Which model a judge asks, where, and for how much. Light: no model SDK, no pydantic."""

import os
import re
from dataclasses import dataclass

DEFAULT_MODEL = "claude-sonnet-5-5"
DEFAULT_BUDGET = 5.0
"""Dollars a session may cost unless told otherwise."""
_LOCAL_NAMES = frozenset({"localhost", "host.docker.internal", "host.containers.internal"})
_LOGIN = re.compile(r"^((?:[A-Za-z][\w+.-]*:(?=/))?/*)[^/?#]*@")
"""What an address holds before its host: the scheme, and a name and password."""


@dataclass(frozen=True)
class ModelOptions:
    """What the player chose about models.

    Attributes:
        models: Names of models; a panel asks them in turn. Empty for the default.
        base_url: A server that speaks the Messages API; empty for Anthropic's or what ``ANTHROPIC_BASE_URL`` names.
        budget: Dollars all judging of a session may cost; None for the default.
        repeat: Which judging of the same hand-in it is, where one wants to see how they differ: each asks anew.
    """

    models: tuple[str, ...] = ()
    base_url: str = ""
    budget: float | None = None
    repeat: int = 0

    @property
    def server(self) -> str:
        """The server as it is shown and stored: its address without a name and password; empty for Anthropic's."""
        return _LOGIN.sub(r"\1", self.address)

    @property
    def address(self) -> str:
        """The base URL in force, without a trailing ``/v1`` (the SDK adds its own); for the SDK alone."""
        url = (self.base_url or os.environ.get("ANTHROPIC_BASE_URL", "")).strip().rstrip("/")
        return url.removesuffix("/v1").rstrip("/")

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine or this network: it costs nothing and needs no key."""
        return _is_private(self.host[1])

    @property
    def host(self) -> tuple[str, str]:
        """Scheme and host of the server; both empty where there is none, or what is given is no address."""
        from urllib.parse import urlsplit

        try:
            parts = urlsplit(self.server)
        except ValueError:
            return "", ""
        return parts.scheme, parts.hostname or ""

    @property
    def panel(self) -> tuple[str, ...]:
        """The models to ask, at least one."""
        return self.models or (DEFAULT_MODEL,)

    @property
    def limit(self) -> float:
        """The budget in force, in dollars."""
        return DEFAULT_BUDGET if self.budget is None else self.budget


def _is_private(host: str) -> bool:
    if host in _LOCAL_NAMES or host.endswith((".localhost", ".local", ".internal", ".lan")):
        return True
    import ipaddress

    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_private
