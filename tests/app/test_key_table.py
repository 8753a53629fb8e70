"""One key, one meaning: every screen's keys, as docs/reference/keys.md lists them, against what each may be called."""

import pytest

from docs.builder.keys import all_screens, bindings, is_teaching
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.home.roster import RosterScreen
from evalforge.app.screens.base import GameScreen

SCREENS = [screen for screen in all_screens() if not is_teaching(screen)]
MEANINGS = {
    "a": {"attempts"}, "b": {"briefing"}, "c": {"codex"}, "d": {"compare"}, "e": {"edit"}, "f": {"fight"},
    "F": {"files"}, "h": {"hint"}, "i": {"impostors"}, "l": {"trials"}, "m": {"mark"},
    "n": {"next boss", "next criterion"}, "N": {"previous criterion"}, "o": {"only this boss"}, "p": {"replay"},
    "P": {"progress"}, "r": {"again", "fight again"},
    "s": {"sort"}, "t": {"write a test"}, "T": {"teaching"}, "u": {"rubric"}, "v": {"verdict"},
    "w": {"spar", "stop sparring"}, "x": {"export"}, "y": {"copy as command"}, "z": {"swap"},
    "q": {"quit", "how to quit"}, "delete": {"delete"}, "ctrl+n": {"starter folder"},
    "ctrl+o": {"browse", "another folder"}, "slash": {"search"}, "end": {"to the end"}, "left": {"tab", "choose"},
    "right": {"next tab", "choose"}, "f1": {"help"}, "f3": {"spar"}, "f4": {"judge"}, "comma": {"settings", "back"},
}  # fmt: skip
"""What each key may be called. Where it has two names they are one meaning in two places."""
DOORS = {"L": {"stage"}, "R": {"rubric lab"}, "J": {"two judges"}, "C": {"judge a class"}}
"""Doors to teachers' screens, kept off the player's key bar."""
EVERYWHERE = {
    "v": {"verdict"}, "o": {"only this boss"}, "n": {"next boss", "next criterion", "next submission"},
    "r": {"again", "fight again"}, "question_mark": {"help"}, "J": {"two judges", "judges", "judge"},
}  # fmt: skip
"""What some keys are called on teachers' screens, too."""


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__)
def test_a_key_means_the_same_on_every_screen(screen):
    for binding in bindings(screen):
        if screen in (BossScreen, RosterScreen) and not binding.show and binding.key in DOORS:
            assert binding.description in DOORS[binding.key] | MEANINGS.get(binding.key, set())
        elif binding.key in MEANINGS:
            assert binding.description in MEANINGS[binding.key], binding
        elif len(binding.key) == 1 and binding.key.isalpha():
            pytest.fail(f"{binding.key} ({binding.description}) of {screen.__name__} is not in the table")


@pytest.mark.parametrize("screen", all_screens(), ids=lambda screen: screen.__name__)
def test_some_keys_mean_one_thing_to_teachers_too(screen: type[GameScreen]):
    for binding in bindings(screen):
        if binding.key in EVERYWHERE:
            assert binding.description in EVERYWHERE[binding.key], binding


@pytest.mark.parametrize("screen", all_screens(), ids=lambda screen: screen.__name__)
def test_escape_leads_up_from_every_screen(screen: type[GameScreen]):
    assert any(binding.key == "escape" for binding in bindings(screen)) or screen is RosterScreen


@pytest.mark.parametrize("screen", [BossScreen, RosterScreen])
def test_teachers_keys_are_not_on_the_players_bar(screen):
    shown = {binding.description for binding in bindings(screen) if binding.show}
    assert not shown & {"stage", "rubric lab", "two judges", "judge a class"}
