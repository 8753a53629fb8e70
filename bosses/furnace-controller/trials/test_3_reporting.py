"""The decision is reported in one word, and bad input with none of them."""

import json
import re

import pytest

pytestmark = [pytest.mark.group("reporting"), pytest.mark.clause("REPORT")]

DUE = {"HEAT": [12.5], "STABLE": [20.25, 19.5], "COOL": [35, 30]}


def words_for(cli, readings):
    """The decision words printed on stdout or stderr, as words of their own."""
    document = json.dumps({"readings": readings})
    run = cli("--input", "readings.json", "--target-temp", "20", files={"readings.json": document})
    return set(re.findall(r"\b(?:HEAT|COOL|STABLE)\b", run.stdout + "\n" + run.stderr))


def expect_word(cli, word):
    """The decision's word is there, whatever other words are."""
    told = words_for(cli, DUE[word])
    assert word in told, (
        f"Readings {DUE[word]}, target 20: expected the word {word} on stdout or stderr; got {sorted(told) or 'none'}."
    )


def test_heat_is_told(cli):
    """HEAT is printed on stdout or in the log, as a word in capitals."""
    expect_word(cli, "HEAT")


def test_stable_is_told(cli):
    """STABLE is printed on stdout or in the log, as a word in capitals."""
    expect_word(cli, "STABLE")


def test_cool_is_told(cli):
    """COOL is printed on stdout or in the log, as a word in capitals."""
    expect_word(cli, "COOL")


def test_only_one_word(cli):
    """Only the decision's own word appears, not those of the other two."""
    for word, readings in DUE.items():
        told = words_for(cli, readings)
        assert told == {word}, (
            f"Readings {readings}, target 20: expected {word} as the only decision word; got {sorted(told) or 'none'}."
        )
