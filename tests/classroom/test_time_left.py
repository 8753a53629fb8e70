"""The time left is told from what the last rows took."""

from evalforge.classroom.time_left import TimeLeft, format_time_left


def test_nothing_is_promised_before_anything_is_known() -> None:
    pace = TimeLeft(2)
    assert pace.seconds_for(5) is None
    assert pace.seconds_for(0) == 0


def test_workers_share_what_is_left_as_far_as_there_is_enough() -> None:
    pace = TimeLeft(4)
    for seconds in (1.0, 3.0):
        pace.add_row(seconds)
    assert pace.seconds_for(8) == 4
    assert pace.seconds_for(2) == 2


def test_times_are_said_as_people_say_them() -> None:
    told = [format_time_left(seconds) for seconds in (None, 3, 42, 600, 9_000)]
    assert told == ["", "a few seconds left", "about 40 s left", "about 10 min left", "about 2.5 h left"]
