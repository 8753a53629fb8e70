"""Plain files: the average is clearly below, above or inside the tolerance."""

import json

import pytest

pytestmark = pytest.mark.group("happy_path")

STABLE, HEAT, COOL = 0, 10, 11


def decide(cli, readings, target, *options):
    """Run the controller on these readings."""
    files = {"readings.json": json.dumps({"readings": readings})}
    return cli("--input", "readings.json", "--target-temp", target, *options, files=files)


def expect(run, status, why):
    """Compare the exit status with the one due."""
    assert run.exit_code == status, f"{why} Exit status {status} was due, and {run.exit_code} came."


def test_cold(cli):
    """A furnace far below its target is told to HEAT: exit status 10."""
    run = decide(cli, [612.5, 598.0, 604.25], "850")
    expect(run, HEAT, "The average is far below the target.")


def test_hot(cli):
    """A furnace far above its target is told to COOL: exit status 11."""
    run = decide(cli, [1010.5, 998.0, 1004.25], "850")
    expect(run, COOL, "The average is far above the target.")


def test_near(cli):
    """A furnace near its target is STABLE: exit status 0."""
    run = decide(cli, [849.5, 850.75, 850.25], "850")
    expect(run, STABLE, "The average is well inside the tolerance.")


def test_all_readings_count(cli):
    """The average is taken over all readings, not the first, the last or the middle one."""
    run = decide(cli, [100, 100, 100, 700, 100], "220")
    expect(run, STABLE, "Only the mean of all readings is on the target here.")


def test_one_reading(cli):
    """A single reading is its own average."""
    run = decide(cli, [15], "20")
    expect(run, HEAT, "With one reading, the average is that reading.")


def test_integers_and_fractions(cli):
    """Integers and fractions may be mixed."""
    run = decide(cli, [30, 31.5, 29, 30.25], "25.5")
    expect(run, COOL, "A list with integers and fractions has an average like any other.")


def test_below_zero(cli):
    """Readings and targets may be negative."""
    run = decide(cli, [-30, -28.5], "-20")
    expect(run, HEAT, "Below a negative target means HEAT just as below a positive one.")


def test_wide_tolerance(cli):
    """A wide tolerance keeps a furnace STABLE that the default would not."""
    run = decide(cli, [16, 17], "20", "--tolerance", "5")
    expect(run, STABLE, "--tolerance widens the band in which the furnace is STABLE.")


def test_narrow_tolerance(cli):
    """A narrow tolerance acts on what the default would let pass."""
    run = decide(cli, [20.75, 20.75], "20", "--tolerance", "0.5")
    expect(run, COOL, "--tolerance may be a fraction, and narrower than the default.")


def test_options_in_any_order(cli):
    """Options come in any order."""
    document = json.dumps({"readings": [40, 42]})
    run = cli("--tolerance", "2", "--target-temp", "20", "--input", "log.json", files={"log.json": document})
    expect(run, COOL, "The order of the options must not matter.")


def test_other_keys(cli):
    """Other keys beside "readings" are ignored."""
    document = json.dumps({"sensor": "B4", "target": 900, "readings": [20.25, 19.75], "tolerance": "none"})
    run = cli("--input", "readings.json", "--target-temp", "20", files={"readings.json": document})
    expect(run, STABLE, 'Only "readings" matters in the file; other keys are to be ignored.')


def test_letters_beyond_ascii(cli):
    """A valid file may hold letters of any alphabet."""
    document = json.dumps({"site": "Gießerei Łódź, 鍛冶", "unit": "°C", "readings": [12.5, 13]}, ensure_ascii=False)
    run = cli("--input", "readings.json", "--target-temp", "20", files={"readings.json": document.encode()})
    expect(run, HEAT, "The file is UTF-8 text, so other keys may hold letters beyond ASCII.")


def test_many_readings(cli):
    """A long list is averaged as a short one is."""
    run = decide(cli, [10, 20, 30, 40] * 1000, "20")
    expect(run, COOL, "The mean of a few thousand readings is on the hot side of the target here.")
