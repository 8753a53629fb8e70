"""Whatever is handed in is judged, in bounded time, for what it is worth; and nothing outside notices it."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from evalforge.model.text import UNSAFE
from tests.attacks.attack import ATTACKS, BOSS, HERE, Attack
from tests.attacks.conftest import Arena, Fought
from tests.attacks.world import HIDDEN

_STARVED = 4
"""So many times as long as on a machine of its own may a fight take."""
_TRIES = 3
_PAUSE_SECONDS = 1.5
LOOSE = [attack for attack in ATTACKS if attack.uncaged]


@pytest.mark.rotating
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_gains_nothing_and_touches_nothing(arena: Arena, attack: Attack) -> None:
    for earlier_tries in range(_TRIES):
        # A disk that other programs keep busy needs a moment, not another try at once.
        time.sleep(_PAUSE_SECONDS if earlier_tries else 0)
        fought = gains_nothing(arena, attack)
        levels = {name: fought.levels[name] for name in attack.levels}
        unread = [pattern for pattern in attack.reads if not re.search(pattern, "\n".join(fought.texts))]
        if levels == attack.levels and not unread:
            break
        # On a busy machine its time may be up before it has done what it can, or has met the bound it is to meet.
    assert levels == attack.levels, "a deserved level is missing"
    assert not unread, "nobody reads of it"


def gains_nothing(arena: Arena, attack: Attack) -> Fought:
    """Let an attack fight once, and see that it was in vain."""
    world = arena.world
    known, before = world.alive(), world.look()
    fought = arena.fight(attack)
    told = "\n".join(fought.texts)
    print(told[:20_000])  # shown when it fails
    assert not [name for name in attack.levels if fought.levels[name] > attack.levels[name]], "an undeserved level"
    assert not fought.passed
    assert fought.seconds < _STARVED * attack.seconds
    assert world.survivors(known | arena.processes()) == {}, "somebody outlived the fight"
    assert world.look() == before, "something outside was changed"
    assert not [text for text in fought.texts if UNSAFE.search(text)], "something could steer a terminal"
    assert not fought.strange_places, "a reader is sent to what was not handed in"
    assert not [word for word in (world.secret, world.key, HIDDEN) if word in told], "a secret was told"
    return fought


@pytest.mark.rotating
@pytest.mark.parametrize("attack", LOOSE, ids=lambda attack: attack.name)
def test_an_attack_is_a_real_one(arena: Arena, attack: Attack, tmp_path: Path) -> None:
    """Without a cage it does what it is meant to do, or the test above proves nothing."""
    world, folder = arena.world, arena.lay_out(attack)
    before = world.look()
    command = [sys.executable, "-B", str(folder / "tally.py"), "1"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=20, check=False)
    after = world.look()
    world.mend()
    loot = {"secret": world.secret, "key": world.key, "hidden": HIDDEN}
    if attack.uncaged in loot:
        assert loot[attack.uncaged] in run.stdout + run.stderr, run.stderr
    else:
        assert after[attack.uncaged] != before[attack.uncaged], run.stderr


def test_an_honest_submission_wins_after_all_that(arena: Arena) -> None:
    """The trials can be passed, and the attacks before have left the forge as it was."""
    fought = arena.fight_with(HERE / "boss" / "exemplars" / "honest", BOSS)
    assert fought.levels == {"adds": 2, "refuses": 1, "reports": 1, "proves": 1}
    assert fought.passed


def test_every_attack_says_what_must_not_happen() -> None:
    for attack in ATTACKS:
        assert attack.must_not.strip(), attack.name
        heads = [path.read_bytes()[:3] for path in attack.sources]
        assert attack.name.startswith("forging/entry-") or b'"""' in heads, attack.name


def test_there_are_attacks_of_every_family() -> None:
    families = Counter(attack.family for attack in ATTACKS)
    assert set(families) == {"resource", "reach", "forging", "gaming"}
    assert sum(families.values()) >= 60
