"""The file and the temperatures that a program sees are others for each submission."""

import json

import pytest

from evalforge.evidence.trials.disguise import Disguise, disguise_cli, random_words

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
    return json.dumps({**document, "readings": [value + degrees for value in document["readings"]]}, ensure_ascii=False)


@pytest.fixture
def cli(cli, rng):
    """The program, with another name of the file, and readings and target moved by the same degrees."""
    hidden = disguise_cli(cli, Disguise(random_words(rng, FILES)))
    degrees = rng.randint(1, 1_000)

    def run(*args, files=None, **more):
        args, files = list(args), dict(files or {})
        target = args.index("--target-temp") + 1
        is_warm = all(numbers_of(content) for content in files.values()) and 0 < float(args[target]) < WARMEST
        if files and is_warm:
            args[target] = str(type(json.loads(args[target]))(args[target]) + degrees)
            files = {name: warmer(content, degrees).encode() for name, content in files.items()}
        return hidden(*args, files=files, **more)

    return run
