"""Options that several commands share."""

import textwrap
from argparse import SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from evalforge.cli.help_pages import COMMANDS, examples_of
from evalforge.model.errors import UsageError
from evalforge.model.text import replace_unencodable

if TYPE_CHECKING:
    from argparse import (  # argparse has no public names for these
        _MutuallyExclusiveGroup,  # pyright: ignore[reportPrivateUsage]
        _SubParsersAction,  # pyright: ignore[reportPrivateUsage]
    )

    from evalforge.cli.command_parser import CommandParser

Commands: TypeAlias = "_SubParsersAction[CommandParser]"
"""The object that commands are added to."""

FillParser = Callable[[ArgumentParser], None]
"""Adds the options of a command to its parser."""


def add_common_options(parser: ArgumentParser, *, top: bool = False) -> None:
    """Add the options that may precede a command as well as follow it."""
    # A subcommand's default must not replace a value given before the command.
    parser.add_argument(
        "--bosses",
        metavar="DIR",
        type=Path,
        action="append",
        dest="bosses",
        default=[] if top else SUPPRESS,
        help="a folder or zip with boss packs, searched first; may be repeated",
    )


def add_judge_options(parser: ArgumentParser, text: str) -> None:
    """Add the options for the judge and its cost; ``text`` precedes the first option's help."""
    choices = (
        "forge (runs the code), claude (also reads it), panel (several votes), forge+words (a model comments); "
        "claude where there is a key"
    )
    for name, metavar, help_text in (
        ("--judge", "NAME", text + choices),
        ("--model", "NAME[,NAME]", "models for the judges claude and panel"),
        ("--base-url", "URL", "a server with the Messages API, e.g. http://localhost:11434"),
        ("--budget", "DOLLARS", "budget for model judges, in dollars (default 5)"),
    ):
        parser.add_argument(name, metavar=metavar, type=replace_unencodable, default=SUPPRESS, help=help_text)


def add_running_options(parser: ArgumentParser) -> None:
    """Add the options for running the player's code."""
    parser.add_argument(
        "--python", metavar="PATH", default=SUPPRESS, help="the Python interpreter for your code, e.g. in your venv"
    )
    parser.add_argument(
        "--i-trust-this-code",
        action="store_true",
        dest="trusted",
        default=SUPPRESS,
        help="run your code even without a sandbox",
    )
    parser.set_defaults(may_trust=True)


def check_trust(arguments: Namespace) -> None:
    """Refuse ``--i-trust-this-code`` before a command that runs nothing, or other people's code.

    Raises:
        UsageError: It was given, and the command doesn't use it.
    """
    if arguments.command and getattr(arguments, "trusted", False) and not arguments.may_trust:
        raise UsageError(
            f"{arguments.command} has no --i-trust-this-code.", "Only commands that run your own code alone have it."
        )


FORMATS = ("text", "json", "junit", "sarif", "github", "markdown")
"""The formats in which a judging can be printed."""


def add_format_option(parser: "ArgumentParser | _MutuallyExclusiveGroup") -> None:
    """Add the option for the printed format of a judging."""
    text = "output format: text, or JUnit XML, SARIF, GitHub annotations or Markdown for pipelines"
    parser.add_argument("--format", choices=FORMATS, default="text", help=text)


def add_write_option(parser: ArgumentParser) -> None:
    """Add the option for files that are written besides the output."""
    text = "also write a file: junit, sarif, markdown, classroom (GitHub Classroom) or badge (SVG); may be repeated"
    parser.add_argument(
        "--write", metavar="FORMAT=FILE", type=replace_unencodable, action="append", default=[], help=text
    )


def add_command(commands: Commands, name: str, fill: FillParser) -> None:
    """Add a command with the options that ``fill`` adds and those of every command."""

    def fill_all(parser: ArgumentParser) -> None:
        parser.set_defaults(may_trust=False)
        add_common_options(parser)
        fill(parser)

    commands.add_parser(
        name,
        help=COMMANDS[name].summary,  # shells show it beside a completion
        description=textwrap.fill(COMMANDS[name].description, 79),
        epilog=examples_of(name),
        formatter_class=RawDescriptionHelpFormatter,
        fill=fill_all,
    )


_BOSS = "the boss's id, as `evalforge bosses` lists it"


def add_boss_argument(parser: ArgumentParser) -> None:
    """Add the argument that names a boss."""
    parser.add_argument("boss", metavar="BOSS", help=_BOSS)


def add_target_arguments(parser: ArgumentParser) -> None:
    """Add the arguments for the boss and the folder; in a folder that ``new`` created, both are optional."""
    parser.add_argument("boss", metavar="BOSS", nargs="?", help=f"{_BOSS} (default: the one this folder was made for)")
    parser.add_argument(
        "directory",
        metavar="DIR",
        nargs="?",
        type=Path,
        help="the folder with your solution (default: here, if `new` made it)",
    )


def add_id_argument(parser: ArgumentParser, name: str, metavar: str) -> None:
    """Add an argument that names an attempt."""
    parser.add_argument(
        name, metavar=metavar, type=replace_unencodable, help="an id from `evalforge attempts`, or the start of one"
    )
