import pytest

from furnace import Band, State


@pytest.mark.parametrize(
    ("reading", "state"),
    [(17.9, State.COOL), (18, State.STABLE), (20, State.STABLE), (22, State.STABLE), (22.1, State.HEAT)],
)
def test_band_includes_both_ends(reading, state):
    assert Band(20, 2).classify([reading]) is state


def test_offset_is_positive_above_the_target():
    assert Band(20).offset([21, 25]) == 3


@pytest.mark.parametrize(("reading", "state"), [(18.9, State.COOL), (19, State.STABLE), (21.1, State.HEAT)])
def test_default_tolerance_is_one_degree(reading, state):
    assert Band(20).classify([reading]) is state


@pytest.mark.parametrize(("state", "status"), [(State.STABLE, 0), (State.HEAT, 10), (State.COOL, 11)])
def test_exit_status(state, status):
    assert state.exit_status == status
