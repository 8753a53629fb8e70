"""No trick gets a level that a careful reader wouldn't give; those that still do are marked, and no others."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.attacks.trick import TRICKS, Trick
from tests.measured.forge import RecordedForge
from tests.measured.programs import PROGRAM_BY_NAME, given_levels

FAMILIES = {
    *("hiding", "unreadable", "decoys", "renaming", "dilution"),
    *("memory", "looking", "crashing", "knowing", "words"),
}


@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.name)
def test_a_trick_gains_no_level(trick: Trick, recorded_forge: RecordedForge) -> None:
    levels = given_levels(recorded_forge.fight(PROGRAM_BY_NAME[f"tricks/{trick.name}"]))
    honest = trick.honest_levels
    bought = {name: level for name, level in levels.items() if level > honest[name]}
    worse = {name: level for name, level in bought.items() if level > trick.still_works.get(name, honest[name])}
    assert not worse, f"the judge gives {levels}, a careful reader {honest}"
    assert bought == trick.still_works, "this trick gains less than it did: change or remove its `still_works`"


def test_every_trick_says_what_it_does_and_costs() -> None:
    for trick in TRICKS:
        assert trick.trick.endswith("."), trick.name
        assert trick.lines > 0, trick.name


def test_there_are_tricks_of_every_family_on_many_bosses() -> None:
    families = Counter(trick.family for trick in TRICKS)
    assert set(families) == FAMILIES
    assert sum(families.values()) >= 40
    assert len({trick.boss for trick in TRICKS}) >= 6
