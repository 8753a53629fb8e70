"""What all tests share: a home of their own, and the repository's boss packs."""

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the state of the person who runs it."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("EVALFORGE_HOME", str(home))
    for name in ("EVALFORGE_BOSSES", "EVALFORGE_JUDGE", "EVALFORGE_MOTION", "ANTHROPIC_API_KEY", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def bosses() -> Path:
    """The shipped boss packs."""
    return REPOSITORY / "bosses"
