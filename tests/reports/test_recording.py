"""A fight as a moving picture: every criterion in turn, sound for any viewer, its end where nothing moves."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given

from evalforge.model.attempt import Attempt
from evalforge.reports import raster
from evalforge.reports.card import CardDetails
from evalforge.reports.export import draw_gif, draw_recording, frames
from tests.reports.attempts import attempt, attempts

SPACE = "{http://www.w3.org/2000/svg}"


def test_each_criterion_strikes_once_and_the_verdict_comes_last() -> None:
    shown = [frame.moment for frame in frames(attempt(2, 0, 1))]
    assert [moment.judged for moment in shown if moment.heat == 1.0] == [1, 3]
    assert [moment.is_over for moment in shown] == [*([False] * (len(shown) - 1)), True]
    assert shown[0].judged == 0


def test_where_nothing_moves_the_end_is_shown() -> None:
    groups = [
        group
        for group in ET.fromstring(draw_recording(attempt(2, 1), CardDetails(threshold=2))).findall(f"{SPACE}g")
        if group.get("display")
    ]
    assert [group.get("display") for group in groups].count("inline") == 1
    assert groups[-1].get("display") == "inline"
    assert "DEFEATED" in "".join(groups[-1].itertext())
    assert "DEFEATED" not in "".join("".join(group.itertext()) for group in groups[:-1])


@given(attempts)
def test_a_recording_is_sound_and_loads_nothing(one: Attempt) -> None:
    svg = draw_recording(one, CardDetails())
    tags = {element.tag.removeprefix(SPACE) for element in ET.fromstring(svg).iter()}
    assert not tags & {"script", "style", "image", "foreignObject", "use"}


def test_only_a_judged_attempt_has_a_recording() -> None:
    with pytest.raises(ValueError, match="judged"):
        draw_recording(attempt(1).model_copy(update={"result": None}), CardDetails())


def test_pixels_are_drawn_where_the_libraries_are() -> None:
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    import io

    picture = raster.png("<svg xmlns='http://www.w3.org/2000/svg' width='4' height='2'/>", 8)
    assert image.open(io.BytesIO(picture)).size == (8, 4)
    moving = image.open(io.BytesIO(draw_gif(attempt(2), CardDetails(threshold=2))))
    assert (moving.format, moving.n_frames) == ("GIF", len(list(frames(attempt(2)))))
