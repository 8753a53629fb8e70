"""Contracts as they are told: every word, and lines broken only where somebody meant it."""

import pytest

from evalforge.app.ui.text.markup import contract
from evalforge.packs.pack import load_pack
from tests.conftest import REPOSITORY

BOSSES = sorted(path.name for path in (REPOSITORY / "bosses").iterdir() if path.is_dir())
FILLED = "  A sentence that is long enough to reach the edge of the page it was written on, and goes on below it"


@pytest.mark.parametrize("boss", BOSSES)
def test_every_word_of_a_shipped_contract_is_told_in_order(boss):
    written = load_pack(REPOSITORY / "bosses" / boss).definition.metadata.contract
    assert contract(written).plain.split() == written.replace("`", "").split()


@pytest.mark.parametrize("boss", BOSSES)
def test_lines_are_joined_and_never_broken(boss):
    written = load_pack(REPOSITORY / "bosses" / boss).definition.metadata.contract
    told = contract(written).plain.splitlines()
    assert len(told) < len(written.strip().splitlines())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{FILLED}\n  once more.", [f"{FILLED} once more."]),
        (f"- {FILLED.strip()}\n  once more.", [f"- {FILLED.strip()} once more."]),
        (f"{FILLED}\n    once more.", [FILLED, "    once more."]),
        (f"{FILLED}\n  - once more.", [FILLED, "  - once more."]),
        (f"{FILLED}.\n  Another one.", [f"{FILLED}.", "  Another one."]),
        (f"{FILLED}\n\n  Another one.", [FILLED, "", "  Another one."]),
        (f"{FILLED}\n  --all  a table", [FILLED, "  --all  a table"]),
        ("  a short line\n  and another", ["  a short line", "  and another"]),
    ],
)
def test_a_line_goes_on_where_only_the_page_ended(text, told):
    assert contract(text).plain.splitlines() == told
