"""The game in a browser. Anyone who opens the page plays as the user who serves it, so it stays on this machine."""

import shlex
import socket
import sys
from argparse import Namespace
from pathlib import Path

from evalforge.cli import output, settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.model.errors import UsageError
from evalforge.model.installation import install_command
from evalforge.packs.find_pack import find_pack

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_HIGHEST_PORT = 65_535


def serve(arguments: Namespace) -> int:
    """Serve the game until Ctrl+C.

    Raises:
        UsageError: The port can't be used, or textual-serve isn't installed.
    """
    host, port = arguments.host, arguments.port
    if not 0 < port <= _HIGHEST_PORT:
        raise UsageError(f"--port can't be {port}.", f"It is 1 to {_HIGHEST_PORT}.")
    config = settings.load(arguments)
    for boss in filter(None, (arguments.stage, arguments.notes)):
        find_pack(boss, config.bosses)
    try:
        from evalforge.cli.commands.web_server import GameServer
    except ImportError:
        raise UsageError("The browser needs textual-serve.", f"Install it: {install_command('serve')}") from None
    _free(host, port)
    if host not in _LOOPBACK:
        output.print_note(
            f"WARNING: {host} can be reached from other machines. Whoever has the address with its token acts as you: "
            "reads the folders you can read, runs code as you, spends your budget. It is sent unencrypted."
        )
    GameServer(_command(arguments), host, port).serve()
    return ExitStatus.SUCCESS


def _command(arguments: Namespace) -> str:
    """Return the command that every page starts: the game with these options, a stage, or its notes."""
    command_words = [sys.executable, "-m", "evalforge"]
    named_folders: list[Path] = getattr(arguments, "bosses", None) or []
    for folder in named_folders:
        command_words += ["--bosses", str(folder.absolute())]
    for name in ("judge", "model", "base_url", "budget", "motion", "python"):
        value = getattr(arguments, name, None)
        if value:
            command_words += [f"--{name.replace('_', '-')}", str(value)]
    if getattr(arguments, "trusted", False):
        command_words.append("--i-trust-this-code")
    if arguments.stage or arguments.notes:
        command_words += ["stage", arguments.stage or arguments.notes, *(["--notes"] if arguments.notes else [])]
    return shlex.join(command_words)


def _free(host: str, port: int) -> None:
    """Check that the address is available before anything starts.

    Raises:
        UsageError: The address is unavailable.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except UnicodeError:
        raise UsageError(f"--host {host!r} can't be the name of a machine.") from None
    except OSError as error:
        raise UsageError(f"{host}:{port} is unavailable ({error.strerror}).", "Choose another --port.") from None
