"""Where decisions change: the edges of the tolerance, zero, and the default."""

import json

import pytest

pytestmark = pytest.mark.group("boundaries")

STABLE, HEAT, COOL = 0, 10, 11


def decide(cli, readings, target, *options):
    """Run the controller on these readings."""
    files = {"readings.json": json.dumps({"readings": readings})}
    return cli("--input", "readings.json", "--target-temp", target, *options, files=files)


def expect(run, status, why):
    """Compare the exit status with the one due."""
    assert run.exit_code == status, f"{why} Exit status {status} was due, and {run.exit_code} came."


def test_lower_edge(cli):
    """An average exactly on the lower edge is STABLE."""
    run = decide(cli, [17.5, 18.5], "20", "--tolerance", "2")
    expect(run, STABLE, "T - D belongs to the tolerance: HEAT begins strictly below it.")


def test_upper_edge(cli):
    """An average exactly on the upper edge is STABLE."""
    run = decide(cli, [21, 23], "20", "--tolerance", "2")
    expect(run, STABLE, "T + D belongs to the tolerance: COOL begins strictly above it.")


def test_just_below(cli):
    """An average just below the lower edge is HEAT."""
    run = decide(cli, [18, 17.9375], "20", "--tolerance", "2")
    expect(run, HEAT, "The smallest step below T - D already means HEAT.")


def test_just_above(cli):
    """An average just above the upper edge is COOL."""
    run = decide(cli, [22, 22.0625], "20", "--tolerance", "2")
    expect(run, COOL, "The smallest step above T + D already means COOL.")


def test_default_tolerance_lower(cli):
    """Without --tolerance, one degree below the target is the lower edge."""
    on = decide(cli, [49], "50")
    expect(on, STABLE, "The default tolerance is 1.0, and its lower edge is STABLE.")
    below = decide(cli, [48.875], "50")
    expect(below, HEAT, "The default tolerance is 1.0; below its lower edge the decision is HEAT.")


def test_default_tolerance_upper(cli):
    """Without --tolerance, one degree above the target is the upper edge."""
    on = decide(cli, [51], "50")
    expect(on, STABLE, "The default tolerance is 1.0, and its upper edge is STABLE.")
    above = decide(cli, [51.125], "50")
    expect(above, COOL, "The default tolerance is 1.0; above its upper edge the decision is COOL.")


def test_tolerance_zero_on_target(cli):
    """With tolerance 0, only an average exactly on the target is STABLE."""
    run = decide(cli, [20, 21], "20.5", "--tolerance", "0")
    expect(run, STABLE, "With tolerance 0 both edges lie on the target, and an edge is STABLE.")


def test_tolerance_zero_off_target(cli):
    """With tolerance 0, the slightest difference is acted on."""
    cold = decide(cli, [20.25], "20.5", "--tolerance", "0")
    expect(cold, HEAT, "Tolerance 0 was given, so the default of 1.0 must not step in.")
    hot = decide(cli, [20.75], "20.5", "--tolerance", "0")
    expect(hot, COOL, "Tolerance 0 was given, so the default of 1.0 must not step in.")


def test_target_zero(cli):
    """A target of 0 is a target like any other."""
    near = decide(cli, [-0.5, 0.5], "0")
    expect(near, STABLE, "Target 0 and average 0: the furnace is exactly where it should be.")
    cold = decide(cli, [-1.5], "0")
    expect(cold, HEAT, "A target of 0 must not be taken for a target that was not given.")


def test_edges_below_zero(cli):
    """Below zero the edges are where they are above it."""
    lower = decide(cli, [-22.5], "-20", "--tolerance", "2.5")
    expect(lower, STABLE, "For a negative target T - D lies further from zero; it is STABLE too.")
    upper = decide(cli, [-17.5], "-20", "--tolerance", "2.5")
    expect(upper, STABLE, "For a negative target T + D lies nearer to zero; it is STABLE too.")
    above = decide(cli, [-17.25], "-20", "--tolerance", "2.5")
    expect(above, COOL, "Above T + D means COOL, also below zero.")


def test_fractional_edges(cli):
    """Edges that are fractions are kept as fractions."""
    on = decide(cli, [20.625], "20.5", "--tolerance", "0.125")
    expect(on, STABLE, "T + D is a fraction here, and an edge all the same.")
    above = decide(cli, [20.75], "20.5", "--tolerance", "0.125")
    expect(above, COOL, "Above a fractional edge the decision is COOL.")


def test_reading_of_zero(cli):
    """A reading of 0 counts like any other."""
    run = decide(cli, [0, 40, 0, 40], "20", "--tolerance", "0")
    expect(run, STABLE, "The mean of 0, 40, 0 and 40 is 20: readings of 0 count.")
    alone = decide(cli, [0, 0], "0")
    expect(alone, STABLE, "Readings of 0 are valid, and their average is 0.")


def test_nothing_is_rounded_next_to_an_edge(cli):
    """An average a millionth of a degree beyond an edge is outside."""
    cold = decide(cli, [19, 18.999998092651367], "20")
    expect(cold, HEAT, "The average is a millionth of a degree below T - D.")
    hot = decide(cli, [21, 21.000001907348633], "20")
    expect(hot, COOL, "The average is a millionth of a degree above T + D.")


def test_average_is_not_rounded(cli):
    """The average is compared as it is, not rounded."""
    cold = decide(cli, [18.97, 18.98], "20")
    expect(cold, HEAT, "The average is a little below T - D; rounding would lift it over the edge.")
    hot = decide(cli, [21.004, 21.002], "20")
    expect(hot, COOL, "The average is a little above T + D; rounding would hide that.")
