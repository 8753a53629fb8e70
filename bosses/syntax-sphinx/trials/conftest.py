"""The variables of valid expressions have other names for each submission; where positions count, they stay."""

import pytest

from evalforge.evidence.trials.disguise import Disguise, random_words

VARIABLES = "x y rate Rate area".split()


@pytest.fixture
def player(player, rng, request):
    """The program's modules, which see other variables."""
    if "position" not in request.node.name and "test_1" in request.node.nodeid:
        player.disguise(Disguise(random_words(rng, VARIABLES, in_order=True)))
    return player
