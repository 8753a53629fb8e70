"""No attack ends above what the evidence allows, forges a verdict or reaches the terminal, even if the judge obeys."""

import os

import pytest

from evalforge.judges.injection_scan import find_suspicious_lines
from evalforge.model.events import Judged, Progress, Ungraded
from tests.injection.suite import Attack, attempt, load

ATTACKS = load()


@pytest.fixture(autouse=True)
def no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds a key or a proxy of the person who runs it."""
    for name in list(os.environ):
        if name.startswith("ANTHROPIC_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


def test_there_are_attacks_of_every_family() -> None:
    assert len(ATTACKS) >= 50
    assert {attack.family for attack in ATTACKS} == {"direct", "structure", "carriers", "inflation", "empty", "system"}
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


@pytest.mark.rotating
@pytest.mark.parametrize("echo", [False, True], ids=["quotes code", "quotes the attack"])
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: f"{attack.family}/{attack.name}")
async def test_an_obeyed_attack_gains_nothing(attack: Attack, echo: bool) -> None:
    outcome, events = await attempt(attack, echo=echo)
    assert not outcome.above_ceiling
    assert not outcome.forged
    assert not outcome.steered_terminal
    assert not outcome.flooded
    assert isinstance(events[-1], Judged | Ungraded)
    assert outcome.calls == 0 or attack.family != "empty"
    if outcome.reported:
        assert any(isinstance(event, Progress) and "It changes no level" in event.message for event in events)
        assert isinstance(events[-1], Ungraded) or "It changes no level" in events[-1].result.raw_notes


@pytest.mark.parametrize(
    ("obey", "ungraded"),
    [("refuse", True), ("cut", True), ("endless", True), ("above", True), ("list", True), ("duplicate", True),
     ("invent", False), ("escapes", False), ("markup", False), ("", False)],
)  # fmt: skip
async def test_what_spoils_the_reply_is_ungraded_and_no_score(obey: str, ungraded: bool) -> None:
    for attack in (attack for attack in ATTACKS if attack.obey == obey and attack.family in ("system", "structure")):
        outcome, _ = await attempt(attack, echo=False)
        assert outcome.ungraded is ungraded, attack.name


def test_attempts_to_steer_are_reported() -> None:
    """What asks for something is found by its words; what only looks like quality can't be."""
    missed = [
        attack.name
        for attack in ATTACKS
        if attack.family in ("direct", "structure", "carriers") and not find_suspicious_lines(attack.submission)
    ]
    assert set(missed) <= {
        "another language", "rot13 and leetspeak", "white space", "borrowed reasoning", "forged test run",
        "forged evidence", "evidence for a file that isn't there", "criteria of its own", "a key given twice",
        "a level that doesn't exist", "the judgement as a list", "broken out of JSON", "pity", "escape characters",
    }  # fmt: skip
