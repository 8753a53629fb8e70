"""Plain files: the average is clearly below, above or inside the tolerance."""

import json
import shlex

import pytest

pytestmark = [pytest.mark.group("happy_path"), pytest.mark.clause("DECISION")]

STABLE, HEAT, COOL = 0, 10, 11
WORDS = {STABLE: "STABLE", HEAT: "HEAT", COOL: "COOL"}
LONGEST_SHOWN = 120


def shown(value):
    """A value as it is quoted in a message, cut where it gets long."""
    text = str(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def outcome(run):
    """How a run ended, in words: the decisions that it printed, or else what it printed."""
    decisions = ", ".join(run.places_of(*WORDS.values()))
    printed = shown(decisions or repr(run.output.strip()))
    return "a traceback" if run.traceback else f"exit status {run.exit_code} and {printed}"


def expect_for(cli, status, document, options, name="readings.json"):
    """Run the controller on a file, and compare the exit status with the contract's."""
    run = cli(*options, files={name: document.encode()})
    assert run.exit_code == status, (
        f"{shlex.join(options)} with {shown(document)}:"
        f" expected exit status {status} ({WORDS[status]}); got {outcome(run)}."
    )


def expect(cli, status, readings, target, *options):
    """Run the controller on these readings, and compare the exit status with the contract's."""
    document = json.dumps({"readings": readings})
    expect_for(cli, status, document, ["--input", "readings.json", "--target-temp", target, *options])


@pytest.mark.advice(
    "Compute sum(readings) / len(readings). Where it is below target - tolerance, let main return 10, and pass "
    "what main returns to sys.exit."
)
def test_cold(cli):
    """A furnace far below its target gets HEAT: exit status 10."""
    expect(cli, HEAT, [612.5, 598.0, 604.25], "850")


@pytest.mark.advice(
    "Compute sum(readings) / len(readings). Where it is above target + tolerance, let main return 11, and pass "
    "what main returns to sys.exit."
)
def test_hot(cli):
    """A furnace far above its target gets COOL: exit status 11."""
    expect(cli, COOL, [1010.5, 998.0, 1004.25], "850")


@pytest.mark.advice(
    "Give --tolerance default=1.0, and return 0 unless the average is below target - tolerance or above target + "
    "tolerance."
)
def test_near(cli):
    """A furnace near its target is STABLE: exit status 0."""
    expect(cli, STABLE, [849.5, 850.75, 850.25], "850")


@pytest.mark.advice(
    "Compute sum(readings) / len(readings) of the whole list as it is: no median, no set(), no single reading."
)
def test_all_readings_count(cli):
    """The average counts all readings, not only the first, last or middle one."""
    expect(cli, STABLE, [100, 100, 100, 700, 100], "220")


@pytest.mark.clause("INPUT")
@pytest.mark.advice(
    "Compute sum(readings) / len(readings), which needs no case of its own for one reading, and return 10 below "
    "target - tolerance."
)
def test_one_reading(cli):
    """A single reading is its own average."""
    expect(cli, HEAT, [15], "20")


@pytest.mark.clause("INPUT")
@pytest.mark.advice(
    "Read --target-temp with type=float, take readings that are int or float, and return 11 above target + tolerance."
)
def test_integers_and_fractions(cli):
    """Integers and fractions may be mixed."""
    expect(cli, COOL, [30, 31.5, 29, 30.25], "25.5")


@pytest.mark.clause("COMMAND LINE", "INPUT")
@pytest.mark.advice(
    "Read --target-temp with argparse and type=float, refuse no negative reading, use no abs(), and return 10 "
    "below target - tolerance."
)
def test_below_zero(cli):
    """Readings and targets may be negative."""
    expect(cli, HEAT, [-30, -28.5], "-20")


@pytest.mark.clause("COMMAND LINE", "DECISION")
@pytest.mark.advice(
    "Read --tolerance with type=float, and compare the average with target - tolerance and target + tolerance "
    "instead of a fixed 1.0."
)
def test_wide_tolerance(cli):
    """A wide tolerance keeps a furnace STABLE that the default would not."""
    expect(cli, STABLE, [16, 17], "20", "--tolerance", "5")


@pytest.mark.clause("COMMAND LINE", "DECISION")
@pytest.mark.advice(
    "Read --tolerance with type=float, compare the unrounded average with target + tolerance, and return 11 above it."
)
def test_narrow_tolerance(cli):
    """A narrow tolerance acts where the default would not."""
    expect(cli, COOL, [20.75, 20.75], "20", "--tolerance", "0.5")


@pytest.mark.clause("COMMAND LINE")
@pytest.mark.advice(
    "Read the options by name with argparse, not by their places in sys.argv, and return 11 above target + tolerance."
)
def test_options_in_any_order(cli):
    """Options come in any order."""
    options = ["--tolerance", "2", "--target-temp", "20", "--input", "log.json"]
    expect_for(cli, COOL, json.dumps({"readings": [40, 42]}), options, name="log.json")


@pytest.mark.clause("INPUT")
@pytest.mark.advice(
    "Take document['readings'] and look at no other key: refuse none, and read neither target nor tolerance from "
    "the file."
)
def test_other_keys(cli):
    """Other keys beside "readings" are ignored."""
    document = json.dumps({"sensor": "B4", "target": 900, "readings": [20.25, 19.75], "tolerance": "none"})
    expect_for(cli, STABLE, document, ["--input", "readings.json", "--target-temp", "20"])


@pytest.mark.clause("INPUT")
@pytest.mark.advice(
    "Open the file with encoding='utf-8', look at no key but readings, and return 10 below target - tolerance."
)
def test_letters_beyond_ascii(cli):
    """A valid file may hold letters of any alphabet."""
    document = json.dumps({"site": "Gießerei Łódź, 鍛冶", "unit": "°C", "readings": [12.5, 13]}, ensure_ascii=False)
    expect_for(cli, HEAT, document, ["--input", "readings.json", "--target-temp", "20"])


@pytest.mark.clause("INPUT", "DECISION")
@pytest.mark.advice(
    "Compute sum(readings) / len(readings) over the whole list, without a limit or recursion, and return 11 above "
    "target + tolerance."
)
def test_many_readings(cli):
    """A long list is averaged like a short one."""
    expect(cli, COOL, [10, 20, 30, 40] * 1000, "20")
