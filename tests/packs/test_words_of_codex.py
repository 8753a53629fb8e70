"""What the shipped bosses tell players beside the contract: tiers of the codex, hints, and gold with its reasons."""

import ast
from contextlib import suppress

import pytest

from evalforge.model.exact_numbers import to_fraction
from evalforge.packs.gold import read_gold
from evalforge.packs.pack import load_pack
from tests.conftest import REPOSITORY

BOSSES = sorted(path.name for path in (REPOSITORY / "bosses").iterdir() if path.is_dir())


def code_lines(hint: str) -> list[str]:
    """The lines of a hint that are code: all of them if they parse, else the indented ones."""
    lines = hint.splitlines()
    if len(lines) > 1:
        with suppress(SyntaxError):
            ast.parse(hint)
            return lines
    return [line for line in lines if line.startswith("    ")]


@pytest.mark.parametrize("boss", BOSSES)
def test_a_tier_of_the_codex_says_something(boss: str) -> None:
    for tier in ("lore", "attacks", "strategy"):
        text = (REPOSITORY / "bosses" / boss / "codex" / f"{tier}.md").read_text("utf-8")
        assert len(text.split()) >= 40, tier


@pytest.mark.parametrize("boss", BOSSES)
def test_code_in_a_hint_fits_on_every_screen(boss: str) -> None:
    for criterion, hints in load_pack(REPOSITORY / "bosses" / boss).codex.hints.items():
        for hint in hints:
            assert max(map(len, code_lines(hint)), default=0) <= 56, criterion


@pytest.mark.parametrize("boss", BOSSES)
def test_gold_has_reasons_and_settles_what_readers_differ_on(boss: str) -> None:
    pack = load_pack(REPOSITORY / "bosses" / boss)
    for exemplar in pack.exemplars:
        gold = read_gold(exemplar)
        assert len(gold.readings) != 1, "one reading isn't enough"
        for criterion in pack.rubric.criteria:
            assert gold.why.get(criterion.id, "").strip(), (exemplar.name, criterion.id)
            scores = {to_fraction(criterion.level(reading[criterion.id]).score) for reading in gold.readings}
            is_settled = bool(gold.settled.get(criterion.id, "").strip())
            is_agreed = scores <= {to_fraction(gold.levels[criterion.id])}
            assert is_agreed or (len(scores) > 1 and is_settled), (exemplar.name, criterion.id)
