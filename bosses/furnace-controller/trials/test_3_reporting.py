"""The decision is told in one word, and bad input in none of them."""

import json
import re

import pytest

pytestmark = pytest.mark.group("reporting")

DUE = {"HEAT": [12.5], "STABLE": [20.25, 19.5], "COOL": [35, 30]}


def words_for(cli, readings):
    """The decision words told on stdout or stderr, as words of their own."""
    document = json.dumps({"readings": readings})
    run = cli("--input", "readings.json", "--target-temp", "20", files={"readings.json": document})
    return set(re.findall(r"\b(?:HEAT|COOL|STABLE)\b", run.stdout + "\n" + run.stderr))


def test_heat_is_told(cli):
    """HEAT stands on stdout or in the log, as a word in capitals."""
    told = words_for(cli, DUE["HEAT"])
    assert "HEAT" in told, "The decision is HEAT, and the word is neither on stdout nor on stderr."


def test_stable_is_told(cli):
    """STABLE stands on stdout or in the log, as a word in capitals."""
    told = words_for(cli, DUE["STABLE"])
    assert "STABLE" in told, "The decision is STABLE, and the word is neither on stdout nor on stderr."


def test_cool_is_told(cli):
    """COOL stands on stdout or in the log, as a word in capitals."""
    told = words_for(cli, DUE["COOL"])
    assert "COOL" in told, "The decision is COOL, and the word is neither on stdout nor on stderr."


def test_only_one_word(cli):
    """Only the decision's own word appears, not those of the other two."""
    for word, readings in DUE.items():
        told = words_for(cli, readings)
        assert told == {word}, f"Where {word} is due, it should be the one decision word on stdout and stderr."
