import pytest

from furnace.domain import Band, Controller, Decision


@pytest.mark.parametrize(
    ("readings", "target", "tolerance", "decision"),
    [
        ([18], 20, 1, Decision.HEAT),
        ([19], 20, 1, Decision.STABLE),
        ([21], 20, 1, Decision.STABLE),
        ([21.25], 20, 1, Decision.COOL),
        ([20.25], 20, 0, Decision.COOL),
        ([10, 30], 20, 0, Decision.STABLE),
        ([-30, -10], -20, 0.5, Decision.STABLE),
    ],
)
def test_decide(readings, target, tolerance, decision):
    assert Controller(Band(target, tolerance)).decide(readings) is decision
