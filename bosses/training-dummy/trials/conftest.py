"""The names that strike are others for each submission."""

import pytest

from evalforge.evidence.trials.disguise import Disguise, random_words

NAMES = "Squire smith third apprentice sweeps feeds yard spaces end many kicks".split()


@pytest.fixture
def cli(cli, rng):
    """The program, under other names."""
    cli.disguise(Disguise(random_words(rng, NAMES)))
    return cli
