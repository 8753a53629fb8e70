"""The parsers of the commands for programs that play: the bosses over MCP, and a contest of agents."""

from argparse import ArgumentParser
from pathlib import Path

from evalforge.cli.options import Commands, add_command, add_judge_options
from evalforge.model.text import replace_unencodable


def add_agent_commands(commands: Commands) -> None:
    """Add the commands for agents."""
    add_command(commands, "mcp", "serve the bosses to an agent, over the Model Context Protocol on stdio", _fill_mcp)
    # Here --bosses names bosses; the folders with packs are named before the command.
    text = "run a command-line agent against bosses and write a table of the results"
    add_command(commands, "arena", text, _fill_arena, with_common=False)


def _fill_mcp(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--folder",
        metavar="DIR",
        type=Path,
        action="append",
        help="a folder whose contents it may submit; may be repeated (default: here)",
    )
    parser.add_argument(
        "--agent", metavar="NAME", type=replace_unencodable, default="", help="its name (default: what its client says)"
    )
    add_judge_options(parser, "the judge (default forge): ")


def _fill_arena(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--agent",
        metavar="CMD",
        required=True,
        type=replace_unencodable,
        help="the command, run without a shell; {folder}, {task} and {feedback} become paths; it reads the task from "
        "standard input",
    )
    parser.add_argument(
        "--bosses",
        metavar="BOSS",
        nargs="+",
        required=True,
        dest="fought",
        help="boss ids, separated by blanks or commas",
    )
    parser.add_argument("--name", metavar="NAME", type=replace_unencodable, default="", help="the agent's name")
    parser.add_argument("--tries", metavar="N", type=int, default=3, help="most attempts on each boss (default 3)")
    parser.add_argument(
        "--seconds", metavar="N", type=float, default=600.0, help="time limit for one attempt (default 600)"
    )
    parser.add_argument(
        "--repeats", metavar="N", type=int, default=1, help="how many times the whole contest runs (default 1)"
    )
    parser.add_argument(
        *("-o", "--output"),
        metavar="DIR",
        type=Path,
        default=Path("arena"),
        help="folder for journal, runs and tables; a stopped contest continues there (default: arena)",
    )
    parser.add_argument(
        "--hide", metavar="DIR", type=Path, action="append", default=[], help="a further folder that it must not read"
    )
    parser.add_argument(
        "--keep-home",
        action="store_true",
        help="let it see your home folder, e.g. for its login (read only in the sandbox)",
    )
    parser.add_argument("--uncaged", action="store_true", help="run it without a sandbox; the table says so")
    parser.add_argument("--json", action="store_true", help="the table as JSON")
    add_judge_options(parser, "the judge (default forge): ")
