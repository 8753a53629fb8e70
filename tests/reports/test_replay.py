"""Replaying: the same events in the same order, at their own time or another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.model.events import Event, Progress
from evalforge.reports.replay import AT_ONCE, due_times, replay
from tests.reports.attempts import attempt

streams = st.lists(
    st.builds(lambda at, message: Progress(at=at, message=message), st.floats(0, 1e4), st.text(max_size=5)), max_size=20
)


@given(streams, st.floats(0.01, 100))
async def test_a_replay_yields_the_same_events_in_order(events: list[Event], speed: float) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    assert [event async for event in replay(events, speed, sleep)] == events
    assert all(seconds > 0 for seconds in waited)


@given(streams, st.floats(0.01, 100))
def test_an_event_is_due_at_its_own_time_divided_by_the_speed(events: list[Event], speed: float) -> None:
    times = [due for due, _ in due_times(events, speed)]
    assert times == sorted(times)
    assert max(times, default=0) == max((event.at / speed for event in events), default=0)


async def test_at_once_never_waits() -> None:
    async def sleep(seconds: float) -> None:
        raise AssertionError(f"waited {seconds} s")

    events = attempt(2, 1).events
    assert tuple([event async for event in replay(events, AT_ONCE, sleep)]) == events


@pytest.mark.parametrize("speed", [0, -1, float("nan")])
async def test_a_speed_is_above_nothing(speed: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        await anext(replay(attempt(1).events, speed))
