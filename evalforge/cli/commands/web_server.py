"""The web server around the game: textual-serve, with the doors closed that it leaves open."""

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from aiohttp import web
from textual_serve.server import Server

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
# The page of textual-serve asks a font from a stranger's server; with this it asks nobody but us.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class GameServer(Server):
    """Starts a game for every page that is opened.

    A browser sends any page's requests to this machine, so a page of somebody else could open our socket and play. Two
    things keep it out: the ``Host`` asked for must be the one served (a name of somebody else's that points here is
    refused), and the ``Origin`` must be our own page.

    Args:
        command: What a page starts, as a shell command.
        host: The address to listen on.
        port: The port.
    """

    def __init__(self, command: str, host: str, port: int) -> None:
        bracketed = f"[{host}]" if ":" in host else host
        page = f"http://{bracketed}:{port}"
        super().__init__(command, host, port, "EvalForge", page)  # pyright: ignore[reportUnknownMemberType]

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._guard)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        if not self.welcomes(request.host, request.headers.get("Origin")):
            raise web.HTTPForbidden(text="This game is not served to that page.\n")
        # The page speaks to the address it was opened by, whatever that was.
        self.public_url = f"http://{request.host}"
        response = await handler(request)
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response

    def welcomes(self, host: str, origin: str | None) -> bool:
        """Whether a request may come in.

        Args:
            host: The ``Host`` it asks for.
            origin: The page it comes from; None where a browser doesn't say (an address typed in).
        """
        asked = urlsplit(f"//{host}")
        if self.host in _LOOPBACK and (asked.hostname not in _LOOPBACK or (asked.port or 80) != self.port):
            return False
        return origin is None or urlsplit(origin).netloc == host

    async def on_startup(self, app: web.Application) -> None:
        """Say where the game is."""
        del app
        self.console.print(f"EvalForge is served at {self.public_url}", markup=False, highlight=False)
        self.console.print("Ctrl+C ends it.", markup=False)

    def initialize_logging(self) -> None:
        """Keep quiet: a line for every request helps nobody here."""
