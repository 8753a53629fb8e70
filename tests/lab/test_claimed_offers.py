"""Proven claims offer a pack trials that pass on right programs and fail on wrong ones, and impostors."""

from contextlib import aclosing
from pathlib import Path

import pytest
import yaml

from evalforge.evidence.engine import Engine
from evalforge.evidence.suite.planting import read_program
from evalforge.lab.claimed_impostors import write_offers
from evalforge.lab.claimed_trials import trial_file, trial_name
from evalforge.model.claim import Claim
from evalforge.model.events import TrialFinished
from evalforge.model.evidence import ClaimResult, ClaimState
from evalforge.model.submission import Submission
from evalforge.packs.impostors import Impostors, plant, read_impostors
from evalforge.packs.pack import BossPack, load_pack
from tests.conftest import REPOSITORY

CLAIMED = REPOSITORY / "tests/evidence/claimed"


def claims_on(boss: str) -> tuple[BossPack, Impostors, dict[str, Claim]]:
    pack = load_pack(REPOSITORY / "bosses" / boss)
    impostors = read_impostors(pack.path)
    assert impostors is not None
    by_id = {impostor.id: impostor for impostor in impostors.impostors}
    claims = {
        name: Claim.model_validate(
            {"criterion_id": by_id[name].owner, "fault": by_id[name].fault, "contract": by_id[name].says, **fields}
        )
        for name, fields in yaml.safe_load((CLAIMED / f"{boss}.yaml").read_text()).items()
    }
    return pack, impostors, claims


async def failed_trials(engine: Engine, pack: BossPack, trials: Path, submission: Submission) -> list[str]:
    entry_files = pack.definition.metadata.entry_files
    async with aclosing(engine.gather("seed", trials, entry_files, submission)) as events:
        ended = [event.trial async for event in events if isinstance(event, TrialFinished)]
    assert len(ended) > 1, ended
    return [trial.id for trial in ended if not trial.passed]


CLAIMS_TRIED = {
    "training-dummy": ("no-full-stop", "no-end-of-straw"),
    "ledger-lich": ("ints-are-amounts", "amounts-as-text"),
    "cache-wraith": ("an-old-life-lingers", "loads-are-not-kept"),
    "schedule-hydra": ("one-fails-all-stop",),
}


@pytest.mark.rotating
@pytest.mark.parametrize("boss", CLAIMS_TRIED)
async def test_a_claimed_trial_fails_on_the_fault_alone(boss: str, tmp_path: Path) -> None:
    pack, impostors, claims = claims_on(boss)
    names = CLAIMS_TRIED[boss]
    trials = tmp_path / boss / "trials"
    trials.mkdir(parents=True)
    (trials / "test_claimed.py").write_text(trial_file(pack, [claims[name] for name in names]))
    programs = {right.name: read_program(pack.path, right) for right in impostors.right}
    engine = Engine()
    try:
        for program in programs.values():
            assert await failed_trials(engine, pack, trials, Submission.of(program)) == []
        for name in names:
            wrong = next(each for each in impostors.impostors if each.id == name)
            changed = Submission.of(plant(programs[wrong.of], wrong))
            failed = await failed_trials(engine, pack, trials, changed)
            assert failed == [f"test_claimed.py::{trial_name(claims[name])}"], name
    finally:
        await engine.close()


async def test_a_mutant_that_shows_the_fault_is_an_impostor(tmp_path: Path) -> None:
    pack, impostors, claims = claims_on("training-dummy")
    claim = claims["no-end-of-straw"]
    result = ClaimResult(claim=claim, state=ClaimState.CONFIRMED)
    engine = Engine()
    try:
        assert await write_offers(tmp_path / "offers", pack, [result, result], engine) == (1, 1)
    finally:
        await engine.close()
    (offered,) = Impostors.model_validate(
        {"right": impostors.right, **yaml.safe_load((tmp_path / "offers/impostors.yaml").read_text())}
    ).impostors
    program = next(read_program(pack.path, right) for right in impostors.right if right.name == offered.of)
    assert plant(program, offered) != program
    assert (offered.owner, offered.says) == (claim.criterion_id, claim.contract)
