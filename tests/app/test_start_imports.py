"""What the first frame costs is decided by what it imports."""

import subprocess
import sys

from tests.conftest import REPOSITORY

_FIRST_FRAME = """
import asyncio, sys
from pathlib import Path
# As the command itself: what is imported at the top of it comes before the first frame, too.
import evalforge.__main__
import evalforge.cli.commands.play
from evalforge.app.app import EvalForge
from evalforge.app.home.roster import RosterScreen
from evalforge.app.core.services import Services

RosterScreen._catch_up = lambda self: None

async def main():
    services = Services(bosses=(Path(sys.argv[1]),), history=Path(sys.argv[2]))
    app = EvalForge(services)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
    heavy = ["pydantic", "anthropic", "sqlite3", "pytest", "evalforge.history.store", "evalforge.fight"]
    heavy += ["evalforge.judges.registry", "evalforge.packs.pack"]
    print(",".join(name for name in heavy if name in sys.modules))

asyncio.run(main())
"""


def test_the_first_frame_loads_no_models_no_history_no_sdk(tmp_path):
    command = [sys.executable, "-c", _FIRST_FRAME, str(REPOSITORY / "bosses"), str(tmp_path / "h.sqlite3")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=REPOSITORY, timeout=60, check=False)
    assert done.stderr == ""
    assert done.stdout.strip() == ""
