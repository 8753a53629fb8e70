import pytest

from furnace.domain import Band, Command, HysteresisPolicy, Readings


@pytest.mark.parametrize(
    "values, command",
    [
        ([18.75], Command.HEAT),
        ([19], Command.STABLE),
        ([20], Command.STABLE),
        ([20.75], Command.STABLE),
        ([21.25], Command.COOL),
        ([10, 30], Command.STABLE),
        ([-10], Command.HEAT),
    ],
)
def test_policy(values, command):
    assert HysteresisPolicy(Band.around(20, 1)).decide(Readings.of(values)) is command


@pytest.mark.parametrize("value, command", [(4.75, Command.HEAT), (5, Command.STABLE), (5.25, Command.COOL)])
def test_no_tolerance(value, command):
    assert HysteresisPolicy(Band.around(5, 0)).decide(Readings.of([value])) is command


def test_average_is_not_rounded():
    assert Readings.of([1, 2]).average == 1.5


def test_readings_are_needed():
    with pytest.raises(ValueError):
        Readings.of([])
