"""The file and the temperatures that a program sees are others for each submission."""

import json
from dataclasses import replace

import pytest

from evalforge.evidence.trials.disguise import Disguise, random_words

FILES = "readings.json log.json nowhere.json".split()
WARMEST = 2_000


def numbers_of(content):
    """The readings of a good file above zero; None for any other."""
    try:
        readings = json.loads(content)["readings"]
    except (ValueError, TypeError, KeyError):
        return None
    sound = isinstance(readings, list) and readings and all(type(value) in (int, float) for value in readings)
    return readings if sound and all(0 < value < WARMEST for value in readings) else None


def warmer(content, degrees):
    """The same file with all readings that much higher."""
    document = json.loads(content)
    readings = [value + degrees for value in document["readings"]]
    return json.dumps({**document, "readings": readings}, ensure_ascii=False).encode()


class Warmth(Disguise):
    """Another name of the file, and readings and target moved by the same degrees."""

    def __init__(self, words, degrees):
        super().__init__(words)
        self.degrees = degrees

    def show_call(self, call):
        """What the program is given: moved where all is sound and above zero, or the answer might be another."""
        target = call.args.index("--target-temp") + 1
        is_warm = all(map(numbers_of, call.files.values())) and 0 < float(call.args[target]) < WARMEST
        if call.files and is_warm:
            moved = str(type(json.loads(call.args[target]))(call.args[target]) + self.degrees)
            files = {name: warmer(content, self.degrees) for name, content in call.files.items()}
            call = replace(call, args=(*call.args[:target], moved, *call.args[target + 1 :]), files=files)
        return super().show_call(call)


@pytest.fixture
def cli(cli, rng):
    """The program, which sees another name of the file and other temperatures."""
    cli.disguise(Warmth(random_words(rng, FILES), rng.randint(1, 1_000)))
    return cli
