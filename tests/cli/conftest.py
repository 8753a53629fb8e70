"""What tests of several commands share: packs that their authors can spoil, and judgings that are measured once."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest

from evalforge.packs.new_folders import create_pack
from tests.command_line import run
from tests.measured_once import measured_once
from tests.warm_engine import EnginePool

__all__ = ["checked_home", "measured_once", "pack"]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A sound pack of one's own."""
    return create_pack("toll-gate", tmp_path / "mine")


@pytest.fixture(scope="session")
def _checked(tmp_path_factory: pytest.TempPathFactory, engines: EnginePool) -> Path:
    """A home in which a sound pack was checked, once for all processes of a run."""
    own = tmp_path_factory.getbasetemp()
    folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    home = folder / "checked"
    with (folder / "checked.lock").open("w") as lock, pytest.MonkeyPatch.context() as patch:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not home.exists():
            patch.setattr("evalforge.engine_pool.Engine", engines.lend)
            pack = create_pack("toll-gate", tmp_path_factory.mktemp("sound"))
            assert run("check", pack, EVALFORGE_HOME=str(home)).returncode == 0
    return home


@pytest.fixture
def checked_home(_checked: Path, own_home: Path) -> Path:
    """A home for tests of what is said about a new pack: only what they change in it has to be measured."""
    return shutil.copytree(_checked, own_home, dirs_exist_ok=True)
