"""Each shipped boss knows its impostors' mistakes again, and says so if what it knows is out of date."""

import json
import shutil
from pathlib import Path

import pytest

from evalforge.calibration.impostor_runs import ProgramCache, ProgramRuns, read_programs
from evalforge.cli.main import main
from evalforge.engine_pool import open_engines
from evalforge.evidence.mistakes import find_mistakes
from evalforge.packs.known_mistakes import FILE
from evalforge.packs.pack import BossPack, load_pack
from tests.conftest import REPOSITORY

PACKS = [load_pack(path.parent) for path in sorted(REPOSITORY.glob("bosses/*/boss.yaml"))]
KNOWN = [
    (pack, known.impostor.id)
    for pack in PACKS
    for known in pack.known_mistakes
    if any(":" in symptom for symptom in known.signature.values())
]
"""The impostors of which some trial says the same each time; 29 others fail only with cases drawn at random."""


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.boss_id)
def test_what_a_shipped_boss_knows_is_up_to_date(pack: BossPack) -> None:
    assert pack.known_mistakes


@pytest.mark.rotating(shares=60)
@pytest.mark.parametrize(("pack", "impostor"), KNOWN, ids=[f"{pack.boss_id}-{name}" for pack, name in KNOWN])
async def test_a_known_mistake_is_named(pack: BossPack, impostor: str, tmp_path: Path) -> None:
    programs = read_programs(pack)
    assert programs
    async with open_engines() as engines:
        runs = ProgramRuns(pack, engines, ProgramCache(pack, tmp_path), lambda _: None)
        measured = await runs.measure({impostor: programs.wrong[impostor]})
    named = find_mistakes(pack, measured[impostor].trials)
    assert any(impostor in mistake.ids for mistake in named)


def test_lint_says_when_what_is_known_is_out_of_date(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = tmp_path / "training-dummy"
    shutil.copytree(REPOSITORY / "bosses" / "training-dummy", pack, ignore=shutil.ignore_patterns("__pycache__"))
    content = json.loads((pack / FILE).read_text("utf-8"))
    (pack / FILE).write_text(json.dumps({**content, "measured_with": "0" * 16}), "utf-8")
    assert main(["lint", str(pack)]) == 0
    assert "no mistake is named" in capsys.readouterr().out
