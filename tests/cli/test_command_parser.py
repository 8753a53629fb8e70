"""A command's options are made when it is used, and only then."""

import pytest

from evalforge.cli.command_parser import CommandParser
from evalforge.cli.parser import command_line


def test_a_parser_is_filled_once_it_is_used():
    filled = []
    parser = CommandParser(fill=filled.append, prog="strike")
    assert filled == []
    parser.add_argument("--hard", action="store_true")
    assert parser.parse_args(["--hard"]).hard
    assert filled == [parser]


def test_one_call_makes_the_options_of_one_command(monkeypatch: pytest.MonkeyPatch):
    filled = []
    real = CommandParser.__init__

    def noting(self: CommandParser, fill, **settings):
        real(self, lambda parser: (filled.append(settings["prog"]), fill(parser)), **settings)

    monkeypatch.setattr(CommandParser, "__init__", noting)
    command_line().parse_args(["bosses", "--json"])
    assert filled == ["evalforge bosses"]


def test_an_attribute_nobody_has_is_missing():
    with pytest.raises(AttributeError):
        _ = CommandParser(fill=lambda parser: None).sharpness
