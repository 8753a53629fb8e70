"""The decision is reported in one word, and bad input with none of them."""

import json

import pytest

pytestmark = [pytest.mark.group("reporting"), pytest.mark.clause("REPORT")]

DUE = {"HEAT": [12.5], "STABLE": [20.25, 19.5], "COOL": [35, 30]}


def printed_for(cli, readings):
    """The decision words printed on stdout or stderr, as words of their own, with their places."""
    document = json.dumps({"readings": readings})
    return cli("--input", "readings.json", "--target-temp", "20", files={"readings.json": document}).places_of(*DUE)


def expect_word(cli, word):
    """The decision's word is there, whatever other words are."""
    printed = printed_for(cli, DUE[word])
    assert any(place.startswith(word) for place in printed), (
        f"Readings {DUE[word]}, target 20: expected the word {word} on stdout or stderr;"
        f" got {', '.join(printed) or 'none'}."
    )


@pytest.mark.advice(
    "Print HEAT in capitals on a line of its own, with print('HEAT'), so that no letter, digit or underscore "
    "touches it."
)
def test_heat_is_told(cli):
    """HEAT is printed on stdout or in the log, as a word in capitals."""
    expect_word(cli, "HEAT")


@pytest.mark.advice(
    "Print STABLE in capitals on a line of its own, with print('STABLE'), as you print the other two decisions."
)
def test_stable_is_told(cli):
    """STABLE is printed on stdout or in the log, as a word in capitals."""
    expect_word(cli, "STABLE")


@pytest.mark.advice(
    "Print COOL in capitals on a line of its own, with print('COOL'), so that no letter, digit or underscore "
    "touches it."
)
def test_cool_is_told(cli):
    """COOL is printed on stdout or in the log, as a word in capitals."""
    expect_word(cli, "COOL")


@pytest.mark.advice(
    "Report every decision with one print(decision), in capitals on a line of its own, and put no decision word "
    "into any other message."
)
def test_only_one_word(cli):
    """Only the decision's own word appears, not those of the other two."""
    for word, readings in DUE.items():
        printed = printed_for(cli, readings)
        assert all(place.startswith(word) for place in printed) and printed, (
            f"Readings {readings}, target 20: expected {word} as the only decision word;"
            f" got {', '.join(printed) or 'none'}."
        )
