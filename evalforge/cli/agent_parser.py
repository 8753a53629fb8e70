"""The words of the commands for programs that play: the bosses over MCP, and a contest of agents."""

from argparse import ArgumentParser
from pathlib import Path

from evalforge.cli.options import Commands, add_command, add_judge_options
from evalforge.model.text import replace_unencodable


def add_agent_commands(commands: Commands) -> None:
    """Add the commands for agents."""
    add_command(commands, "mcp", "the bosses for an agent: a server of the Model Context Protocol on stdio", _fill_mcp)
    # Not `add_command`: --bosses names bosses here; folders with packs are named before the command.
    text = "run a command-line agent against bosses, and write a table of how it did"
    commands.add_parser("arena", help=text, description=text, fill=_fill_arena)


def _fill_mcp(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--folder",
        metavar="DIR",
        type=Path,
        action="append",
        help="where the folders lie that it may hand in; may be given again (default: here)",
    )
    parser.add_argument(
        "--agent", metavar="NAME", type=replace_unencodable, default="", help="its name (default: what its client says)"
    )
    add_judge_options(parser, "the judge, forge unless named here: ")


def _fill_arena(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--agent",
        metavar="CMD",
        required=True,
        type=replace_unencodable,
        help="the command, no shell; {folder}, {task} and {feedback} are paths, and the task is its standard input",
    )
    parser.add_argument(
        "--bosses", metavar="BOSS", nargs="+", required=True, dest="fought", help="the bosses; commas work as well"
    )
    parser.add_argument("--name", metavar="NAME", type=replace_unencodable, default="", help="the agent's name")
    parser.add_argument("--tries", metavar="N", type=int, default=3, help="tries at most on each boss (default 3)")
    parser.add_argument("--seconds", metavar="N", type=float, default=600.0, help="time of one try (default 600)")
    parser.add_argument("--repeats", metavar="N", type=int, default=1, help="how often all of it is done (default 1)")
    parser.add_argument(
        *("-o", "--output"),
        metavar="DIR",
        type=Path,
        default=Path("arena"),
        help="journal, runs and tables; a contest that was stopped goes on there (default: arena)",
    )
    parser.add_argument(
        "--hide", metavar="DIR", type=Path, action="append", default=[], help="a further folder that it must not read"
    )
    parser.add_argument(
        "--keep-home", action="store_true", help="let it see your home folder, e.g. for its login (caged: read only)"
    )
    parser.add_argument("--uncaged", action="store_true", help="don't shut it in; the table says so")
    parser.add_argument("--json", action="store_true", help="the table as JSON")
    add_judge_options(parser, "the judge, forge unless named here: ")
