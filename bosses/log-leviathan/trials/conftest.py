"""The names and times that a program sees are others for each submission."""

import pytest

from evalforge.evidence.trials.disguise import Disguise, random_words

FILES = "harbour.log report.json empty.log a.log b.log c.log lost.log archive nowhere".split()
COMPONENTS = "gate Gate pump.3 crane_2".split()
MESSAGES = "valves load zebra pressure falling opened hand jammed halfway hook lost words calm".split()
COMMON_YEARS = [2031, 2033, 2034, 2035, 2037, 2038, 2039]


@pytest.fixture
def cli(cli, rng):
    """The program, with other files, components, words and, in place of 2031, another common year."""
    words = {**random_words(rng, FILES), **random_words(rng, [*COMPONENTS, *MESSAGES])}
    year = rng.choice(COMMON_YEARS)
    cli.disguise(Disguise({**words, **{f"2031-{month:02}": f"{year}-{month:02}" for month in range(14)}}))
    return cli
