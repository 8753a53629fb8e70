"""Laws that hold on any readings. All numbers are quarters, which floats hold exactly."""

import json

import pytest

pytestmark = [pytest.mark.group("properties"), pytest.mark.clause("DECISION")]

STABLE, HEAT, COOL = 0, 10, 11
ROUNDS = 9


def expect(cli, status, readings, target, tolerance):
    """Compare the exit status for these readings with the contract's."""
    options = ("--input", "readings.json", "--target-temp", str(target), "--tolerance", str(tolerance))
    got = cli(*options, files={"readings.json": json.dumps({"readings": readings})}).exit_code
    assert got == status, (
        f"Readings {readings}, target {target}, tolerance {tolerance}: expected exit status {status}; got {got}."
    )


def expected(readings, target, tolerance):
    """What the contract says, in whole quarters times the number of readings, so that no float can drift."""
    total = round(sum(reading * 4 for reading in readings))
    lower = round((target - tolerance) * 4) * len(readings)
    upper = round((target + tolerance) * 4) * len(readings)
    return HEAT if total < lower else COOL if total > upper else STABLE


def quarters(rng, low, high):
    """A random multiple of 0.25."""
    return rng.randint(low * 4, high * 4) / 4


def situation(rng, wanted):
    """Random readings, target and tolerance that call for the wanted decision."""
    while True:
        target, tolerance = quarters(rng, -400, 1200), rng.randint(1, 80) / 4
        shift = {HEAT: -tolerance - 4, STABLE: 0, COOL: tolerance + 4}[wanted]
        readings = [target + shift + quarters(rng, -12, 12) for _ in range(rng.choice([1, 2, 4, 5, 8, 13]))]
        if expected(readings, target, tolerance) == wanted:
            return readings, target, tolerance


@pytest.mark.advice(
    "For the readings shown, work out mean, T - D and T + D by hand, and print yours. Such numbers mix signs, "
    "fractions and lengths: keep all as floats."
)
def test_random_situations(cli, rng):
    """Any readings, target and tolerance lead to the contract's decision."""
    for number in range(ROUNDS):
        wanted = (HEAT, STABLE, COOL)[number % 3]
        expect(cli, wanted, *situation(rng, wanted))


@pytest.mark.advice(
    "Compare the mean of the whole list with T - D and T + D, both as floats. Let no first, last or middle reading "
    "decide."
)
def test_order_does_not_matter(cli, rng):
    """The order of the readings does not change the decision."""
    for wanted in (HEAT, STABLE, COOL):
        readings, target, tolerance = situation(rng, wanted)
        for arranged in (sorted(readings), sorted(readings, reverse=True)):
            expect(cli, wanted, arranged, target, tolerance)


@pytest.mark.advice(
    "Compare the average with T - D and T + D as signed floats, without abs() or a percentage of T. Refuse no "
    "negative reading and no T of 0."
)
def test_scale_can_be_shifted(cli, rng):
    """Moving readings and target by the same amount does not change the decision."""
    for wanted in (HEAT, STABLE, COOL):
        readings, target, tolerance = situation(rng, wanted)
        for offset in (-target, -2 * target):
            expect(cli, wanted, [reading + offset for reading in readings], target + offset, tolerance)


@pytest.mark.advice(
    "Read T with type=float, refuse no number for its sign, and use no abs(). Return 10 below T - D, and 11 above "
    "T + D."
)
def test_mirror(cli, rng):
    """Negating readings and target swaps HEAT and COOL, and leaves STABLE."""
    for wanted, mirrored in ((HEAT, COOL), (COOL, HEAT), (STABLE, STABLE)):
        readings, target, tolerance = situation(rng, wanted)
        expect(cli, mirrored, [-reading for reading in readings], -target, tolerance)


@pytest.mark.advice(
    "Read T and D with type=float, round nothing, and refuse no sign. Compare with < T - D and > T + D: at the "
    "edges neither holds."
)
def test_edges_anywhere(cli, rng):
    """For any tolerance, both edges are STABLE, and a step beyond them is not."""
    for _ in range(2):
        target, tolerance = quarters(rng, -300, 300), rng.randint(1, 36) / 4
        spread = quarters(rng, 1, 8)
        for edge, step, beyond in ((target - tolerance, -0.25, HEAT), (target + tolerance, 0.25, COOL)):
            expect(cli, STABLE, [edge - spread, edge + spread], target, tolerance)
            expect(cli, beyond, [edge + step - spread, edge + step + spread], target, tolerance)
