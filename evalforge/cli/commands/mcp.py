"""The bosses for an agent over the Model Context Protocol, on standard input and output."""

from argparse import Namespace
from pathlib import Path

from evalforge.agents.boss_tools import Workplace
from evalforge.cli import settings
from evalforge.cli.exit_status import ExitStatus
from evalforge.fight import FightOptions
from evalforge.history.store import History
from evalforge.judges.registry import make_judge
from evalforge.llm.budget import Budget
from evalforge.model.errors import UsageError
from evalforge.model.installation import install_command
from evalforge.model.text import clean_line
from evalforge.packs.path_checks import folder_fault


def mcp(arguments: Namespace) -> int:
    """Serve until the client closes standard input.

    Raises:
        UsageError: A folder can't be used, or the protocol's SDK isn't installed.
    """
    config = settings.load(arguments)
    folders: list[Path] = [folder.absolute() for folder in arguments.folder or [Path()]]
    for folder in folders:
        if fault := folder_fault(folder):
            raise UsageError(f"--folder {folder} {fault}.")
    # A judge that costs money is used only if the server's owner named it.
    judge = getattr(arguments, "judge", None) or "forge"
    make_judge(judge, config.models, Budget())
    try:
        from evalforge.agents.mcp_server import BossServer
    except ImportError:
        raise UsageError("The server needs the SDK of the protocol.", f"Install it: {install_command('mcp')}") from None
    # Never trusted: an agent's code runs in a sandbox or not at all.
    options = FightOptions(judge=judge, models=config.models, python=config.python, agent=clean_line(arguments.agent))
    with History(config.history) as history:
        BossServer(history, Workplace(config.bosses, tuple(folders)), options).run()
    return ExitStatus.SUCCESS
