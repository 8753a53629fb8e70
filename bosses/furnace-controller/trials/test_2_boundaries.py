"""Where decisions change: the edges of the tolerance, zero, and the default."""

import json
import shlex

import pytest

pytestmark = [pytest.mark.group("boundaries"), pytest.mark.clause("DECISION")]

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


def expect(cli, status, readings, target, *options):
    """Run the controller on these readings, and compare the exit status with the contract's."""
    options = ["--input", "readings.json", "--target-temp", target, *options]
    run = cli(*options, files={"readings.json": json.dumps({"readings": readings})})
    assert run.exit_code == status, (
        f"{shlex.join(options)} with the readings {shown(readings)}:"
        f" expected exit status {status} ({WORDS[status]}); got {outcome(run)}."
    )


@pytest.mark.advice("Choose HEAT with average < target - tolerance, not with <=, and round nothing.")
def test_lower_edge(cli):
    """An average exactly on the lower edge is STABLE."""
    expect(cli, STABLE, [17.5, 18.5], "20", "--tolerance", "2")


@pytest.mark.advice("Choose COOL with average > target + tolerance, not with >=, and round nothing.")
def test_upper_edge(cli):
    """An average exactly on the upper edge is STABLE."""
    expect(cli, STABLE, [21, 23], "20", "--tolerance", "2")


@pytest.mark.advice(
    "Compute sum(readings) / len(readings) without rounding, and return 10 as soon as it is below target - tolerance."
)
def test_just_below(cli):
    """An average just below the lower edge is HEAT."""
    expect(cli, HEAT, [18, 17.9375], "20", "--tolerance", "2")


@pytest.mark.advice(
    "Compute sum(readings) / len(readings) without rounding, and return 11 as soon as it is above target + tolerance."
)
def test_just_above(cli):
    """An average just above the upper edge is COOL."""
    expect(cli, COOL, [22, 22.0625], "20", "--tolerance", "2")


@pytest.mark.clause("COMMAND LINE", "DECISION")
@pytest.mark.advice(
    "Give --tolerance default=1.0, and return 10 if the unrounded average < target - tolerance, not with <=."
)
def test_default_tolerance_lower(cli):
    """Without --tolerance, one degree below the target is the lower edge."""
    expect(cli, STABLE, [49], "50")
    expect(cli, HEAT, [48.875], "50")


@pytest.mark.clause("COMMAND LINE", "DECISION")
@pytest.mark.advice(
    "Give --tolerance default=1.0, and return 11 if the unrounded average > target + tolerance, not with >=."
)
def test_default_tolerance_upper(cli):
    """Without --tolerance, one degree above the target is the upper edge."""
    expect(cli, STABLE, [51], "50")
    expect(cli, COOL, [51.125], "50")


@pytest.mark.clause("COMMAND LINE", "DECISION")
@pytest.mark.advice(
    "Read target and tolerance with type=float, and keep the average unrounded. Use < and > only, so that equal "
    "numbers are STABLE."
)
def test_tolerance_zero_on_target(cli):
    """With tolerance 0, only an average exactly on the target is STABLE."""
    expect(cli, STABLE, [20, 21], "20.5", "--tolerance", "0")


@pytest.mark.advice(
    "Set default=1.0 in add_argument, not with `or`, so that 0 stays 0. Round neither target nor average, and "
    "return 10 below, 11 above."
)
def test_tolerance_zero_off_target(cli):
    """With tolerance 0, the slightest difference is acted on."""
    expect(cli, HEAT, [20.25], "20.5", "--tolerance", "0")
    expect(cli, COOL, [20.75], "20.5", "--tolerance", "0")


@pytest.mark.clause("COMMAND LINE", "DECISION")
@pytest.mark.advice(
    "Require --target-temp in argparse instead of testing its truth, since 0 is a target. Refuse no negative "
    "reading, and use no abs()."
)
def test_target_zero(cli):
    """A target of 0 is a target like any other."""
    expect(cli, STABLE, [-0.5, 0.5], "0")
    expect(cli, HEAT, [-1.5], "0")


@pytest.mark.advice(
    "Compare the unrounded average with target - tolerance and target + tolerance, using < and >, without abs() or "
    "a lower limit."
)
def test_edges_below_zero(cli):
    """The edges are computed in the same way below zero as above it."""
    expect(cli, STABLE, [-22.5], "-20", "--tolerance", "2.5")
    expect(cli, STABLE, [-17.5], "-20", "--tolerance", "2.5")
    expect(cli, COOL, [-17.25], "-20", "--tolerance", "2.5")


@pytest.mark.advice(
    "Read --target-temp and --tolerance with type=float, round nothing, and return 11 only if average > target + "
    "tolerance."
)
def test_fractional_edges(cli):
    """Fractional edges are kept as fractions."""
    expect(cli, STABLE, [20.625], "20.5", "--tolerance", "0.125")
    expect(cli, COOL, [20.75], "20.5", "--tolerance", "0.125")


@pytest.mark.clause("INPUT", "DECISION")
@pytest.mark.advice(
    "Test no reading and no target by its truth, so that 0 counts in sum and in len. Use < and > only, so that "
    "both edges are STABLE."
)
def test_reading_of_zero(cli):
    """A reading of 0 counts like any other."""
    expect(cli, STABLE, [0, 40, 0, 40], "20", "--tolerance", "0")
    expect(cli, STABLE, [0, 0], "0")


@pytest.mark.advice(
    "Compare the average as it is with < and >: no round(), int() or //, and no margin such as math.isclose."
)
def test_nothing_is_rounded_next_to_an_edge(cli):
    """An average a millionth of a degree beyond an edge is outside."""
    expect(cli, HEAT, [19, 18.999998092651367], "20")
    expect(cli, COOL, [21, 21.000001907348633], "20")


@pytest.mark.advice(
    "Compare sum(readings) / len(readings) as it is. Round only the numbers in messages, after the decision."
)
def test_average_is_not_rounded(cli):
    """The average is compared as it is, not rounded."""
    expect(cli, HEAT, [18.97, 18.98], "20")
    expect(cli, COOL, [21.004, 21.002], "20")
