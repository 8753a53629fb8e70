"""Prose and contracts on a terminal: wrapped between words, below their list item or column; code as it is."""

import pytest

from evalforge.packs.pack import load_pack
from evalforge.reports.prose_lines import wrap_lines
from tests.conftest import REPOSITORY

BOSSES = sorted(path.name for path in (REPOSITORY / "bosses").iterdir() if path.is_dir())
LONG_CODE = "call(" + "a_name, " * 12 + "a_name)"


@pytest.mark.parametrize("boss", BOSSES)
@pytest.mark.parametrize("width", [80, 60])
def test_every_word_of_a_shipped_contract_stays_and_fits(boss: str, width: int) -> None:
    contract = load_pack(REPOSITORY / "bosses" / boss).definition.metadata.contract
    wrapped = wrap_lines(contract, width)
    assert wrapped.split() == contract.split()
    too_long = [line for line in wrapped.splitlines() if len(line) > width]
    assert all(line in contract.splitlines() for line in too_long), "only code is wider"


@pytest.mark.parametrize(
    ("text", "wrapped"),
    [
        ("  one two three four", ["  one two three", "  four"]),
        ("- one two three four", ["- one two three", "  four"]),
        ("  10. one two three", ["  10. one two", "      three"]),
        ("  -n  one two three", ["  -n  one two", "      three"]),
        ("  a column that is wide  one", ["  a column that", "      is wide", "      one"]),
        ("  f(one, two=2, three=3)", ["  f(one, two=2,", "      three=3)"]),
        (f"```\n{LONG_CODE}\n```", ["```", LONG_CODE, "```"]),
        (f"So:\n\n    {LONG_CODE}\n    g()\n\none", ["So:", "", f"    {LONG_CODE}", "    g()", "", "one"]),
    ],
)
def test_what_is_wrapped_stays_below_its_text(text: str, wrapped: list[str]) -> None:
    assert wrap_lines(text, 15).splitlines() == wrapped
