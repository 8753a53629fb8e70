"""The names that a program is given are others for each submission; their order stays."""

import pytest

from evalforge.evidence.trials.disguise import Disguise, random_words

NAMES = (
    "ash oak elm fir yew ice snow rock iron stone cold grey water sleet slate frost hail fog bark void item log".split()
)


@pytest.fixture
def player(player, rng):
    """The program's modules, which see other names."""
    player.disguise(Disguise(random_words(rng, NAMES, in_order=True)))
    return player
