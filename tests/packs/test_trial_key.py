"""The same submission meets the same trials; nobody who lacks the key can foresee them."""

import stat
from pathlib import Path

import pytest

from evalforge.packs.trial_key import trial_key, trial_seed


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVALFORGE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("EVALFORGE_TRIAL_KEY")
    return tmp_path / "home"


def test_a_machine_makes_its_key_once_and_keeps_it_to_itself(home: Path) -> None:
    key = trial_key()
    assert len(key) == 64
    assert trial_key() == key
    assert [path.name for path in home.iterdir()] == ["trial.key"]
    assert stat.S_IMODE((home / "trial.key").stat().st_mode) & 0o077 == 0


def test_machines_may_share_a_key(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVALFORGE_TRIAL_KEY", "of the course")
    assert trial_key() == "of the course"
    assert not home.exists()


def test_without_a_place_to_keep_one_the_key_is_the_public_one(home: Path) -> None:
    home.write_text("no folder")
    assert trial_key() == ""


def test_boss_submission_and_key_decide_a_seed() -> None:
    seed = trial_seed("straw", "abc", "key")
    assert trial_seed("straw", "abc", "key") == seed
    others = {trial_seed("hay", "abc", "key"), trial_seed("straw", "abd", "key"), trial_seed("straw", "abc", "another")}
    assert len({seed, *others}) == 4
