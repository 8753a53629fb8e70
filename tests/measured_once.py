"""For tests of what is said about a judging: what is judged again is measured again only if something has changed."""

from pathlib import Path

import pytest

from evalforge.evidence.engine import Engine
from tests.measured.engine import RecordedEngine


@pytest.fixture
def measured_once(evidence_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test opens as an engine starts only for what was never measured, or has changed since."""

    def open_engine(layer: str = "") -> Engine:
        return Engine(layer) if layer else RecordedEngine(evidence_cache)

    monkeypatch.setattr("evalforge.fight.Engine", open_engine)
