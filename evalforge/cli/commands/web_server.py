"""The web server around the game: textual-serve, with its security gaps closed."""

import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from aiohttp import web
from textual_serve.server import Server

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
# textual-serve's page requests a font from another server; this header restricts it to ours.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_TEMPLATES = Path(__file__).resolve().parent.parent / "web"
"""Our page: our title and splash, and keys that work before the first click."""
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class GameServer(Server):
    """Starts a game for every page that is opened.

    Browsers let any page send requests to this machine, so a foreign page could open our socket and play. Two checks
    prevent it: the requested ``Host`` must be the one served (a foreign name that points here is refused), and the
    ``Origin`` must be our own page. All users of a machine share its loopback address, so the page opens only with an
    unguessable token: first in the address, then in a cookie, as in Jupyter.

    Args:
        command: What a page starts, as a shell command.
        host: The address to listen on.
    """

    def __init__(self, command: str, host: str, port: int) -> None:
        bracketed = f"[{host}]" if ":" in host else host
        page = f"http://{bracketed}:{port}"
        super().__init__(command, host, port, "EvalForge", page, templates_path=_TEMPLATES)  # pyright: ignore[reportUnknownMemberType]
        self.token = secrets.token_urlsafe(24)
        """The token that the address must contain."""
        self._cookie = f"evalforge-{port}"  # browsers share cookies between ports

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._guard)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        if not self.welcomes(request.host, request.headers.get("Origin")):
            raise web.HTTPForbidden(text="This page may not use the game.\n")
        if self._is_token(request.query.get("token")):
            self._let_in(request)
        if not self._is_token(request.cookies.get(self._cookie)):
            raise web.HTTPForbidden(text="Open the whole address that `evalforge serve` printed, its token included.\n")
        # The page connects to the address it was opened by, whatever that was.
        self.public_url = f"http://{request.host}"
        response = await handler(request)
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response

    def _is_token(self, text: str | None) -> bool:
        return text is not None and secrets.compare_digest(text.encode(), self.token.encode())

    def _let_in(self, request: web.Request) -> NoReturn:
        """Set the cookie, and remove the token from the address.

        Raises:
            HTTPFound: Always: a redirect to the same page without the token.
        """
        page = request.rel_url.without_query_params("token")
        answer = web.HTTPFound(page, headers=_HEADERS)
        answer.set_cookie(self._cookie, self.token, httponly=True, samesite="Lax", path="/")
        raise answer

    def welcomes(self, host: str, origin: str | None) -> bool:
        """Whether a request is allowed.

        Args:
            host: The ``Host`` header.
            origin: The ``Origin`` header; None if the browser sends none (for a typed address).
        """
        address = urlsplit(f"//{host}")
        if self.host in _LOOPBACK and (address.hostname not in _LOOPBACK or (address.port or 80) != self.port):
            return False
        return origin is None or urlsplit(origin).netloc == host

    async def on_startup(self, app: web.Application) -> None:
        """Print the address of the game."""
        del app
        address = f"{self.public_url}/?token={self.token}"
        self.console.print(f"EvalForge is served at {address}", markup=False, highlight=False, soft_wrap=True)
        self.console.print("Anybody with this address plays as you. Press Ctrl+C to stop.", markup=False)

    def initialize_logging(self) -> None:
        """Turn logging off: a line for every request helps nobody here."""
