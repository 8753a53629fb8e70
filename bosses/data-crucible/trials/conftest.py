"""The words that a program sees are others for each submission; their order stays."""

import pytest

from evalforge.evidence.trials.disguise import Disguise, disguise_cli, random_words

FILES = "melt.csv slip.json bars.json tuesday.txt order.conf tuesday.out gone-cold.csv lost-slip.json".split()
COLUMNS = "metal weight smith vat fill wolf moon hall shift heat note extra remark mark colour volume code".split()
VALUES = (
    "copper iron Iron tin lead brass east west grey black ash Ash Zinc bell rods bent wire heavy slag pyrite".split()
)


@pytest.fixture
def cli(cli, rng):
    """The program, with other names of files and columns, and other group values."""
    words = random_words(rng, [*COLUMNS, *VALUES], in_order=True)
    return disguise_cli(cli, Disguise({**random_words(rng, FILES), **words}))
