"""What all tests share: a home of their own, and the repository's boss packs."""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

REPOSITORY = Path(__file__).resolve().parent.parent

# How long something takes says nothing about it on a machine that others use as well.
settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared")


def pytest_collection_finish() -> None:
    """All that is loaded by now stays to the end, and most of what tests make dies young: a fifth of their time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the state of the person who runs it."""
    home = tmp_path_factory.mktemp("home")
    # Nobody's key or profile may make a model the judge, either.
    for name in list(os.environ):
        ours = name.startswith("EVALFORGE_") and not name.startswith("EVALFORGE_CANARY")
        if ours or name.startswith("ANTHROPIC_") or name == "NO_COLOR":
            monkeypatch.delenv(name)
    monkeypatch.setenv("EVALFORGE_HOME", str(home))
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def bosses() -> Path:
    """The shipped boss packs."""
    return REPOSITORY / "bosses"
