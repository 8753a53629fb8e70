"""The names that a program is given are others for each submission; their order stays."""

import pytest

from evalforge.evidence.trials.disguise import Disguise, random_words

NAMES = "till sales sale purse world bread vault bank tax wages deposit".split()
NAMES += "stone mint attic slip rent card cake coins gift dust".split()


@pytest.fixture
def player(player, rng):
    """The program's modules, which see other names."""
    player.disguise(Disguise(random_words(rng, NAMES, in_order=True)))
    return player
