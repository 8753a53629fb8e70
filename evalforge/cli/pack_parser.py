"""The parsers of the commands about packs from elsewhere: add and packs."""

from argparse import ArgumentParser

from evalforge.cli.options import Commands, add_command
from evalforge.model.text import replace_unencodable


def add_pack_commands(commands: Commands) -> None:
    """Add the commands about packs from elsewhere."""
    add_command(commands, "add", _fill_add)
    add_command(commands, "packs", _fill_packs)


def _fill_add(parser: ArgumentParser) -> None:
    sources = "a folder, an archive (.zip, .tar.gz, ...), or an address for git"
    parser.add_argument("source", metavar="SOURCE", type=replace_unencodable, help=sources)
    parser.add_argument(
        "--tag", metavar="TAG", type=replace_unencodable, default="", help="the tag to add from a git repository"
    )
    parser.add_argument("--trust", action="store_true", help="trust the pack, so that its trials may run")


def _fill_packs(parser: ArgumentParser) -> None:
    parser.add_argument("action", choices=["list", "trust", "update", "remove"], nargs="?", default="list")
    parser.add_argument("slug", metavar="SLUG", type=replace_unencodable, nargs="?", default="", help="which pack")
    parser.add_argument("--tag", metavar="TAG", type=replace_unencodable, default="", help="with update: the new tag")
    parser.add_argument("--json", action="store_true", help="as JSON")
