"""What all tests share: their tiers, a home of their own, the signals of a terminal, and the shipped boss packs."""

import gc
import itertools
import os
import signal
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests import rotation
from tests.footprint import Footprint
from tests.tiers import FAST, MEANINGS, TIERS, tier_of

if TYPE_CHECKING:
    from tests.measured.forge import RecordedForge
    from tests.warm_engine import EnginePool

REPOSITORY = Path(__file__).resolve().parent.parent
_TESTS = Path(__file__).resolve().parent
_OPEN_ENGINES = ("evalforge.fight", "evalforge.classroom.engines", "evalforge.engine_pool")
_OF_THE_TESTS = ("EVALFORGE_CAGE_PYTHON", "EVALFORGE_CANARY", "EVALFORGE_TEST_CACHE")
"""Variables that are the tests' own."""

# How long something takes says nothing about it on a machine that others use as well.
_PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=25, derandomize=True, **_PATIENT)
settings.register_profile("thorough", max_examples=400, print_blob=True, **_PATIENT)
settings.load_profile("quick")  # --hypothesis-profile=thorough names the other

# Started in the background (`make test &`, nohup), we and all that we start would be deaf to Ctrl+C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers; look at what no test may touch."""
    for name, meaning in MEANINGS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")
    config.addinivalue_line("markers", rotation.MARKER)
    config.pluginmanager.register(rotation.Rotation(), "rotation")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Footprint(REPOSITORY), "footprint")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Load no file without tests of the tier that is run, as loading all of them takes longer than most tiers."""
    tier = config.option.markexpr
    if tier not in MEANINGS or not fnmatch(collection_path.name, "test_*.py") or _TESTS not in collection_path.parents:
        return None
    own_tier = tier_of(collection_path.relative_to(_TESTS).as_posix())
    return None if tier == own_tier or f"mark.{tier}" in collection_path.read_text("utf-8") else True


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by marker
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put every test into its tier: that of its file, unless it carries the marker of another."""
    for item in items:
        if not any(item.get_closest_marker(name) for name in (FAST, *TIERS)):
            inside = item.path.is_relative_to(_TESTS)
            item.add_marker(tier_of(item.path.relative_to(_TESTS).as_posix()) if inside else FAST)


def pytest_collection_finish() -> None:
    """All that is loaded by now stays to the end, and most of what tests make dies young: a fifth of their time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test reads or writes the state of the person who runs it, or is judged by their model; nor does a fixture."""
    homes = tmp_path_factory.mktemp("homes")
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            ours = name.startswith("EVALFORGE_") and not name.startswith(_OF_THE_TESTS)
            if ours or name.startswith("ANTHROPIC_") or name == "NO_COLOR" or name.lower().endswith("_proxy"):
                patch.delenv(name)
        _move_in(patch, homes / "shared")
        yield homes


_count = itertools.count()


@pytest.fixture(autouse=True)
def own_home(_homes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new home for each test: nothing was ever played there."""
    home = _homes / str(next(_count))
    _move_in(monkeypatch, home)
    return home


def _move_in(patch: pytest.MonkeyPatch, home: Path) -> None:
    """Make a folder the home and the folder of our state, and let everything else that is kept lie below it."""
    home.mkdir()
    patch.setenv("EVALFORGE_HOME", str(home))
    patch.setenv("HOME", str(home))
    patch.setenv("EVALFORGE_TRIAL_KEY", "the same in every test")
    for kind in ("CACHE", "CONFIG", "DATA", "STATE"):
        patch.setenv(f"XDG_{kind}_HOME", str(home / f".{kind.lower()}"))


@pytest.fixture
def bosses() -> Path:
    """The shipped boss packs."""
    return REPOSITORY / "bosses"


@pytest.fixture(scope="session")
def evidence_cache(request: pytest.FixtureRequest) -> Path:
    """Where new runs are kept between two runs of tests; ``EVALFORGE_TEST_CACHE`` names another place."""
    named = os.environ.get("EVALFORGE_TEST_CACHE")
    assert request.config.cache is not None
    return Path(named) / "evidence" if named else request.config.cache.mkdir("evalforge-evidence")


@pytest.fixture(scope="session")
def recorded_forge(
    _homes: Path, evidence_cache: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator["RecordedForge"]:
    """Judges exemplars, starters and tricks by their stored runs (``tests/measured``)."""
    from tests.measured.forge import RecordedForge

    forge = RecordedForge(evidence_cache, tmp_path_factory.mktemp("recorded"))
    yield forge
    forge.close()


@pytest.fixture(scope="session")
def engines(_homes: Path) -> Iterator["EnginePool"]:
    """Engines that stay warm from the first test that needs one to the last."""
    from tests.warm_engine import EnginePool

    pool = EnginePool()
    yield pool
    pool.close()


@pytest.fixture
def warm_engine(engines: "EnginePool", monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that need an engine and are not about its start or end: what they open is one that is warm."""
    _lend(engines, monkeypatch)


@pytest.fixture
def own_engine(warm_engine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test that stops what runs, among others that don't: what it opens is an engine of its own."""
    from evalforge.evidence.engine import Engine

    for module in _OPEN_ENGINES:
        monkeypatch.setattr(f"{module}.Engine", Engine)


def _lend(engines: "EnginePool", patch: pytest.MonkeyPatch) -> None:
    for module in _OPEN_ENGINES:
        patch.setattr(f"{module}.Engine", engines.lend)


@pytest.fixture(scope="session")
def judged_home(_homes: Path, engines: "EnginePool") -> Path:
    """A home with two real fights, a defeat and then a win, for tests that only read; or that copy it first."""
    from tests.judged import judge_twice  # loads the command line

    home = _homes / "judged"
    home.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        _lend(engines, patch)
        return judge_twice(home)
