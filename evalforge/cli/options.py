"""Options that several commands of the command line share."""

from argparse import SUPPRESS, ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from evalforge.model.text import replace_unencodable

if TYPE_CHECKING:
    from argparse import _SubParsersAction  # pyright: ignore[reportPrivateUsage] - it has no public name

Commands: TypeAlias = "_SubParsersAction[ArgumentParser]"
"""What commands are added to."""


def add_common_options(parser: ArgumentParser, *, top: bool = False) -> None:
    """Options that stand before a command as well as after it."""
    # A subcommand must not put its default in place of what stood before it.
    parser.add_argument(
        "--bosses",
        metavar="DIR",
        type=Path,
        action="append",
        dest="bosses",
        default=[] if top else SUPPRESS,
        help="a folder with boss packs, searched first; may be given again",
    )


def add_judge_options(parser: ArgumentParser, words: str) -> None:
    """Who judges, and what that may cost; ``words`` go before the first option's help."""
    choices = (
        "forge (runs the code), claude (also reads it), panel (several votes), forge+words (a model comments); "
        "claude where there is a key"
    )
    for name, metavar, help_text in (
        ("--judge", "NAME", words + choices),
        ("--model", "NAME[,NAME]", "the models that claude and panel ask"),
        ("--base-url", "URL", "a server that speaks the Messages API, e.g. http://localhost:11434"),
        ("--budget", "DOLLARS", "what all judging of a session may cost (default 5)"),
    ):
        parser.add_argument(name, metavar=metavar, type=replace_unencodable, default=SUPPRESS, help=help_text)


def add_running_options(parser: ArgumentParser) -> None:
    """How the player's code is run."""
    parser.add_argument(
        "--python", metavar="PATH", default=SUPPRESS, help="the interpreter for your code, e.g. of your venv"
    )
    parser.add_argument(
        "--i-trust-this-code",
        action="store_true",
        dest="trusted",
        default=SUPPRESS,
        help="run it even where nothing shuts it in",
    )


def add_command(commands: Commands, name: str, words: str) -> ArgumentParser:
    """Add a command with the options that every command has."""
    parser = commands.add_parser(name, help=words, description=words)
    add_common_options(parser)
    return parser
