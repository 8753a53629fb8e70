"""The jobs and files that a program is given have other names for each submission; their order stays."""

import pytest

from evalforge.evidence.trials.disguise import Disguise, random_words

JOBS = "cast melt saw bore weld ship rod monday tuesday attic desk".split()
FILES = "journal batch.json absent.json report.json".split()


@pytest.fixture
def player(player, rng):
    """The program's modules, which see other names of jobs."""
    player.disguise(Disguise(random_words(rng, JOBS, in_order=True)))
    return player


@pytest.fixture
def cli(cli, rng):
    """The program, with other names of jobs and files."""
    cli.disguise(Disguise({**random_words(rng, FILES), **random_words(rng, JOBS, in_order=True)}))
    return cli
