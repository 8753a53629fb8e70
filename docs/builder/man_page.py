"""The manual page, made from the parser: ``python -m docs.builder.man_page`` writes ``assets/man/evalforge.1``."""

import re
from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from docs.builder.reference import name_of_action, subcommands
from evalforge import __version__
from evalforge.cli.help_pages import NOTES, STATUSES
from evalforge.cli.parser import command_line
from evalforge.cli.setting_names import SETTINGS

FILE = Path(__file__).resolve().parents[2] / "assets" / "man" / "evalforge.1"


def man_page() -> str:
    """The page in the macros of man(7)."""
    top = command_line()
    lines = [
        f'.TH EVALFORGE 1 "" "evalforge {__version__}" "User Commands"',
        ".SH NAME",
        r"evalforge \- a terminal game about engineering skill",
        ".SH SYNOPSIS",
        ".B evalforge",
        "[options] [COMMAND ...]",
        ".SH DESCRIPTION",
        _roff((top.description or "").partition("\n")[0]),
        ".SH OPTIONS",
        *_options(top),
        ".SH COMMANDS",
    ]
    for name, parser in subcommands(top).items():
        lines += [f".SS {_roff(name)}", _roff(parser.description or ""), *_options(parser)]
    lines += [".SH EXIT STATUS AND ENVIRONMENT"]
    rows = [(str(status.value), meaning) for status, meaning in STATUSES.items()]
    rows += [(setting.variable, setting.meaning) for setting in SETTINGS if setting.variable]
    for name, meaning in rows:
        lines += [".TP", rf"\fB{_roff(name)}\fR", _roff(meaning)]
    for note in NOTES:
        lines += [".PP", _roff(note)]
    return "\n".join(lines) + "\n"


def _options(parser: ArgumentParser) -> Iterator[str]:
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way to list them
        name = name_of_action(action)
        if action.help not in (None, SUPPRESS) and name != "-h, --help" and not _is_commands(action):
            yield from (".TP", rf"\fB{_roff(name)}\fR", _roff(str(action.help)))


def _is_commands(action: Action) -> bool:
    return isinstance(action.choices, dict)


def _roff(text: str) -> str:
    """Text as roff shows it: a backslash and a hyphen stay what they are, and no line begins a macro."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("%%", "%")
    return re.sub(r"^([.'])", r"\\&\1", escaped, flags=re.MULTILINE)


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(man_page(), "utf-8")
