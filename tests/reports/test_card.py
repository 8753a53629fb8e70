"""Cards: one file that needs nothing else, sound whatever the words in it, and no solution given away."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.model.attempt import Attempt
from evalforge.packs.sprites import load_sprite
from evalforge.reports.card import CardDetails, draw_card
from evalforge.reports.receipt import receipt_of
from tests.reports.attempts import attempt, attempts

SPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert(1)</script>&\" onload='x' \x1b[31m \x00 \u202e \ufffe \ud83d ]]>"


def setting(one: Attempt, **more: object) -> CardDetails:
    return CardDetails(
        **{
            "number": 3,
            "receipt": receipt_of(one),
            "sprite": load_sprite("training-dummy"),
            "tier": 2,
            "threshold": 2,
            **more,
        }
    )


def words(svg: str) -> str:
    return "\n".join(element.text or "" for element in ET.fromstring(svg).iter(f"{SPACE}text"))


def test_a_card_says_who_how_when_and_the_receipt() -> None:
    one = attempt(2, 1)
    shown = words(draw_card(one, setting(one)))
    receipt = receipt_of(one)
    assert receipt is not None
    for expected in (
        "STRAW",
        "DEFEATED",
        "3 of 4",
        "3 of 4",
        "down, 1 of 2 gold",
        "attempt 3 · 4 May 2026 · forge judge",
        receipt.code,
    ):
        assert expected in shown
    assert "Criterion c0" in shown


@given(attempts)
def test_a_card_is_sound_and_the_same_every_time(one: Attempt) -> None:
    assert draw_card(one, setting(one)) == draw_card(one, setting(one))
    ET.fromstring(draw_card(one, setting(one)))


def test_nothing_is_loaded_from_anywhere() -> None:
    svg = draw_card(attempt(2), setting(attempt(2))).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|href|@import|<image|<script|<style|<foreignObject|url\((?!#)", svg)


def test_words_of_others_stay_words() -> None:
    one = attempt(2, boss_title=HOSTILE)
    judged = one.events[1].model_copy(update={"label": HOSTILE, "level_label": HOSTILE})
    one = one.model_copy(update={"events": (one.events[0], judged, *one.events[2:])})
    svg = draw_card(one, setting(one, realm=HOSTILE))
    tags = {element.tag.removeprefix(SPACE) for element in ET.fromstring(svg).iter()}
    assert tags <= {"svg", "title", "defs", "radialGradient", "stop", "rect", "ellipse", "circle", "g", "path", "text"}
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e\ufffe\ud800-\udfff]", svg)
    svg.encode("utf-8")


@given(st.text(max_size=300))
def test_any_title_fits_in(title: str) -> None:
    one = attempt(1, boss_title=title)
    svg = draw_card(one, setting(one))
    for element in ET.fromstring(svg).iter(f"{SPACE}text"):
        width = len(element.text or "") * float(element.get("font-size", "0")) * 0.602
        assert width < 865


def test_nothing_of_the_solution_is_in_it() -> None:
    one = attempt(1, 0, files={"secret_plan.py": "THE_TRICK = 1\n"})
    svg = draw_card(one, setting(one))
    assert not re.search("secret_plan|THE_TRICK|because", svg)


@pytest.mark.parametrize(
    "more", [{"sprite": None}, {"threshold": None}, {"threshold": 99}, {"receipt": None}, {"tier": 0, "number": 0}]
)
def test_what_is_not_known_is_left_out(more: dict[str, object]) -> None:
    one = attempt(1, 0)
    ET.fromstring(draw_card(one, setting(one, **more)))


def test_only_a_judged_attempt_has_a_card() -> None:
    with pytest.raises(ValueError, match="judged"):
        draw_card(attempt(1).model_copy(update={"result": None}), CardDetails())
