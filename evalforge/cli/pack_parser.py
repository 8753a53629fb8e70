"""The parsers of the commands about packs from elsewhere: add and packs."""

from argparse import ArgumentParser

from evalforge.cli.options import FillParser
from evalforge.model.text import replace_unencodable


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


PACK_COMMANDS: dict[str, FillParser] = {
    "add": _fill_add,
    "packs": _fill_packs,
}
"""The commands about packs from elsewhere, and what adds the options of each."""
