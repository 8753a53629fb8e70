"""One key, one meaning: every player's screen against the table of docs/reference/keys.md."""

import re

import pytest
from textual.binding import Binding

from evalforge.app.attempts.attempt_list import AttemptsScreen
from evalforge.app.attempts.comparison_screen import ComparisonScreen
from evalforge.app.attempts.detail import AttemptScreen
from evalforge.app.attempts.replay_screen import ReplayScreen
from evalforge.app.fight.arena import ArenaScreen
from evalforge.app.fight.evidence_screen import EvidenceScreen
from evalforge.app.fight.impostor_practice import ImpostorsScreen
from evalforge.app.fight.screen import FightScreen
from evalforge.app.home.boss_page import BossScreen
from evalforge.app.home.progress_screen import ProgressScreen
from evalforge.app.home.roster import RosterScreen
from evalforge.app.screens.base import GameScreen
from tests.conftest import REPOSITORY

SCREENS = (
    ArenaScreen, AttemptScreen, AttemptsScreen, BossScreen, ComparisonScreen, EvidenceScreen, FightScreen,
    ImpostorsScreen, ProgressScreen, ReplayScreen, RosterScreen,
)  # fmt: skip
MEANINGS = {
    "a": {"attempts"}, "b": {"briefing"}, "c": {"codex"}, "d": {"compare"}, "e": {"edit"}, "f": {"fight"},
    "F": {"files"}, "h": {"hint"}, "i": {"impostors"}, "l": {"trials"}, "m": {"mark"},
    "n": {"next boss", "next criterion"}, "N": {"previous criterion"}, "o": {"only this boss"}, "p": {"replay"},
    "P": {"progress"}, "q": {"quit", "how to quit"}, "r": {"again", "fight again"},
    "s": {"sort"}, "t": {"write a test"}, "T": {"teaching"}, "u": {"rubric"}, "v": {"verdict"},
    "w": {"spar", "stop sparring"}, "x": {"export"}, "y": {"copy as command"}, "z": {"swap"},
    "delete": {"delete"}, "ctrl+n": {"starter folder"}, "ctrl+o": {"browse", "another folder"},
    "slash": {"search"}, "end": {"to the end"}, "left": {"tab"}, "right": {"next tab"},
    "question_mark": {"help"}, "f1": {"help"}, "f3": {"spar"}, "f4": {"judge"}, "ctrl+q": {"quit"},
}  # fmt: skip
"""What each key may be called. Where it has two names they are one meaning in two places."""
TEACHERS = {"L": {"stage"}, "R": {"rubric lab"}, "J": {"two judges"}, "C": {"judge a class"}}
"""Doors to teachers' screens, kept off the player's key bar."""


def bindings(screen: type[GameScreen]) -> list[Binding]:
    """A screen's own keys and those all screens have."""
    found = [one for base in screen.__mro__ for one in base.__dict__.get("BINDINGS", ())]
    return [one for binding in found if isinstance(binding, Binding) for one in Binding.make_bindings([binding])]


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__)
def test_a_key_means_the_same_on_every_screen(screen):
    for binding in bindings(screen):
        if binding.id and binding.id.startswith(("boss.", "roster.")) and not binding.show and binding.key in TEACHERS:
            assert binding.description in TEACHERS[binding.key] | MEANINGS.get(binding.key, set())
        elif binding.key in MEANINGS:
            assert binding.description in MEANINGS[binding.key], binding
        elif len(binding.key) == 1 and binding.key.isalpha():
            pytest.fail(f"{binding.key} ({binding.description}) of {screen.__name__} is not in the table")


def test_the_table_in_the_docs_names_every_letter():
    table = (REPOSITORY / "docs" / "reference" / "keys.md").read_text("utf-8")
    documented = {
        key for row in re.findall(r"^\|(.+?)\|", table, re.MULTILINE) for key in re.findall(r"`([^`]+)`", row)
    }
    assert {key for key in MEANINGS if len(key) == 1} <= documented


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__)
def test_escape_leads_up_from_every_screen(screen):
    assert any(binding.key == "escape" for binding in bindings(screen))


@pytest.mark.parametrize("screen", [BossScreen, RosterScreen])
def test_teachers_keys_are_not_on_the_players_bar(screen):
    shown = {binding.description for binding in bindings(screen) if binding.show}
    assert not shown & {"stage", "rubric lab", "two judges", "judge a class"}
