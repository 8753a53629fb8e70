"""The keys that a store is given are others for each submission; their order stays."""

import pytest

from evalforge.evidence.trials.disguise import Disguise, random_words

KEYS = "ash elm fir yew oak Oak void".split()


@pytest.fixture
def player(player, rng):
    """The program's modules, which see other keys."""
    player.disguise(Disguise(random_words(rng, KEYS, in_order=True)))
    return player
