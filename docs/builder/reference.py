"""Reference pages, made from the code: ``python -m docs.builder.reference`` writes them into ``docs/reference``."""

import inspect
import textwrap
from argparse import SUPPRESS, Action, ArgumentParser, _SubParsersAction
from collections.abc import Callable, Iterator
from pathlib import Path

from docs.builder.architecture import architecture_page
from docs.builder.keys import keys_page
from evalforge.cli.exit_status import ExitStatus
from evalforge.cli.formats import FORMATS, schema_of
from evalforge.cli.help_pages import GROUPS
from evalforge.cli.parser import command_line
from evalforge.cli.setting_names import SETTINGS
from evalforge.packs.fact_catalogue import CATALOGUE

FOLDER = Path(__file__).resolve().parents[1] / "reference"
_NOTE = "<!-- Generated from the code by `make reference`: edit the code instead. -->\n\n"
_NEVER_LISTED = ("-h, --help",)


def commands_page() -> str:
    """Every command with its arguments and options, read from the parser, in the groups of the main help."""
    top = command_line()
    parsers = subcommands(top)
    lines = ["# Commands", "", "Options that come before the command:", "", *_options(top)]
    for group, commands in GROUPS.items():
        lines += ["", f"## {group.capitalize()}"]
        for name, command in commands.items():
            parser = parsers[name]
            parser.color = False  # from Python 3.14 on, usage has colours where the terminal has
            usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
            examples = (f"evalforge {words}" for words in command.examples)
            lines += ["", f"### {name}", "", command.description, "", "```text", *textwrap.wrap(usage, 100), "```"]
            lines += ["", "For example:", "", "```text", *examples, "```", "", *_options(parser)]
    return "\n".join(lines) + "\n"


def subcommands(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    """The commands of a parser by name; none where it has none."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way to list them
        if isinstance(action, _SubParsersAction):
            return dict(action.choices)
    return {}


def _options(parser: ArgumentParser) -> Iterator[str]:
    yield from ("| | |", "|---|---|")
    for action in parser._actions:  # noqa: SLF001
        name = name_of_action(action)
        if name not in _NEVER_LISTED and action.help != SUPPRESS and not isinstance(action, _SubParsersAction):
            yield f"| `{name}` | {_cell(action.help or '')} |"


def name_of_action(action: Action) -> str:
    """An argument or option with what it takes, such as ``--limit N``."""
    value = ""
    if action.nargs != 0:
        choices = "{" + ",".join(map(str, action.choices)) + "}" if action.choices else ""
        value = choices or str(action.metavar or action.dest.upper())
    names = ", ".join(action.option_strings)
    return f"{names} {value}".strip()


def configuration_page() -> str:
    """Every setting: its option, its variable, its line in ``config.toml``."""
    lines = [
        "# Configuration",
        "",
        "An option wins over a variable, and a variable over `config.toml`.",
        "",
        "| setting | option | variable | `config.toml` |",
        "|---|---|---|---|",
    ]
    for setting in SETTINGS:
        cells = (f"`{each}`" if each else "" for each in (setting.option, setting.variable, setting.example))
        lines.append(f"| {_cell(setting.meaning)} | {' | '.join(cells)} |")
    lines += [
        "",
        "`config.toml` is in `$XDG_CONFIG_HOME/evalforge` (default `~/.config/evalforge`), on macOS in",
        "`~/Library/Application Support/evalforge`. If `EVALFORGE_HOME` is set, it is there instead. An older file",
        "beside the attempts is read only if there is none in this place. `evalforge doctor` shows the path.",
    ]
    lines += ["", "`NO_COLOR` and `TEXTUAL_ANIMATIONS` are respected. Keys for models are described in"]
    lines += ["[Judge with Claude or a local model](../how-to/models.md); EvalForge never stores them.", ""]
    return "\n".join(lines)


def exit_statuses_page() -> str:
    """Every exit status, with the words of its docstring."""
    described = inspect.cleandoc(ExitStatus.__doc__ or "").partition("Attributes:\n")[2]
    lines = [
        "# Exit statuses",
        "",
        "They are the same for every command, so scripts can rely on them.",
        "",
        "| | | when |",
        "|---|---|---|",
    ]
    for line in described.splitlines():
        name, _, meaning = line.strip().partition(": ")
        lines.append(f"| {ExitStatus[name].value} | {name.lower().replace('_', ' ')} | {_cell(meaning)} |")
    return "\n".join(lines) + "\n"


def formats_page() -> str:
    """Every exported format, with its fields and their types."""
    lines = [
        "# Formats",
        "",
        "What commands read or write as JSON (or YAML). `evalforge schema NAME` prints the JSON Schema of a format.",
    ]
    for name in FORMATS:
        schema = schema_of(name)
        lines += ["", f"## {name}", "", _first_sentence(schema.get("description", ""))]
        if fields := schema.get("properties"):
            required = set(schema.get("required", ()))
            lines += ["", "| field | type | |", "|---|---|---|"]
            lines += [
                f"| `{field}` | {_type(each)} | {'' if field in required else 'optional'} |"
                for field, each in fields.items()
            ]
        else:
            kinds = sorted(schema.get("discriminator", {}).get("mapping", {}))
            lines += ["", f"One of: {', '.join(f'`{kind}`' for kind in kinds)}." if kinds else ""]
    return "\n".join(lines) + "\n"


def _type(field: dict[str, object]) -> str:
    """The type of a field in a few words, such as ``list of CriterionResult``."""
    if reference := field.get("$ref"):
        return str(reference).rpartition("/")[2]
    options = field.get("anyOf")
    if isinstance(options, list):
        return " or ".join(dict.fromkeys(_type(option) for option in options))
    if field.get("type") == "array":
        items = field.get("items")
        return f"list of {_type(items)}" if isinstance(items, dict) else "list"
    if "enum" in field:
        return ", ".join(f"`{each}`" for each in field["enum"])  # type: ignore[attr-defined]
    return str(field.get("type", "anything"))


def facts_page() -> str:
    """Every fact that ``evidence.yaml`` may name."""
    lines = [
        "# Facts",
        "",
        "These are the facts for `evidence.yaml`. `trials.GROUP` is the share of a group's trials that passed.",
        "",
        "| fact | value | measures |",
        "|---|---|---|",
    ]
    lines += [f"| `{fact.name}` | {fact.kind.value} | {_cell(fact.description)} |" for fact in CATALOGUE.values()]
    return "\n".join(lines) + "\n"


def _first_sentence(text: str) -> str:
    return " ".join(text.split("\n\n", maxsplit=1)[0].split())


def _cell(text: str) -> str:
    """Text as a cell of a table."""
    return text.replace("%%", "%").replace("|", "\\|").replace("<", "&lt;")


_PAGES: dict[str, Callable[[], str]] = {
    "../explanation/architecture": architecture_page,
    "commands": commands_page,
    "configuration": configuration_page,
    "exit-statuses": exit_statuses_page,
    "formats": formats_page,
    "facts": facts_page,
    "keys": keys_page,
}


def reference_pages() -> dict[str, str]:
    """The text of every page, by its path from ``docs/reference``."""
    return {f"{name}.md": _NOTE + write_page() for name, write_page in _PAGES.items()}


if __name__ == "__main__":
    for name, text in reference_pages().items():
        (FOLDER / name).write_text(text, "utf-8")
