"""A judge that claims the fault of each impostor is confirmed, and no claim about another one's is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from evalforge.evidence.claims.proof import check_claims
from evalforge.evidence.claims.right_programs import right_programs
from evalforge.evidence.suite.impostors import ImpostorSource
from evalforge.evidence.suite.planting import read_program
from evalforge.model.claim import Claim
from evalforge.model.submission import Submission
from evalforge.packs.impostors import Impostor, Impostors, plant, read_impostors
from evalforge.packs.pack import load_pack
from evalforge.sandbox.client import Host
from tests.conftest import REPOSITORY

CLAIMED = sorted(Path(__file__).with_name("claimed").glob("*.yaml"))
BOTH_TRUE = {("one-place-too-many", "asking-is-using")}
"""An impostor, and another one whose claim is true of it too."""


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    host = Host()
    yield host
    host.shut_down()


def claim_of(impostor: Impostor, fields: dict[str, Any]) -> Claim:
    return Claim.model_validate(
        {"criterion_id": impostor.owner, "fault": impostor.fault, "contract": impostor.says, **fields}
    )


def program_of(pack: Path, impostors: Impostors, impostor: Impostor) -> Submission:
    right = next(program for program in impostors.right if program.name == impostor.of)
    return Submission.of(plant(read_program(pack, right), impostor))


def test_every_boss_has_claims() -> None:
    assert [path.stem for path in CLAIMED] == sorted(path.parent.name for path in REPOSITORY.glob("bosses/*/boss.yaml"))


@pytest.mark.rotating
@pytest.mark.parametrize("path", CLAIMED, ids=lambda path: path.stem)
def test_exactly_the_true_claims_are_confirmed(path: Path, host: Host) -> None:
    pack = load_pack(REPOSITORY / "bosses" / path.stem)
    impostors = read_impostors(pack.path)
    assert impostors is not None
    right = right_programs(ImpostorSource(pack.path, pack.definition.metadata.entry_files), host.version)
    claimed = yaml.safe_load(path.read_text())
    by_id = {impostor.id: impostor for impostor in impostors.impostors}
    claims = [claim_of(by_id[name], fields) for name, fields in claimed.items()]
    wrong: dict[str, str] = {}
    for name in claimed:
        results = check_claims(host, program_of(pack.path, impostors, by_id[name]), right, claims)
        for other, result in zip(claimed, results, strict=True):
            is_true = other == name or (name, other) in BOTH_TRUE
            if result.is_confirmed != is_true:
                wrong[f"{other} on {name}"] = f"{result.message} {[step.result for step in result.steps][-2:]}"
    assert wrong == {}


@pytest.mark.rotating
@pytest.mark.parametrize("path", CLAIMED, ids=lambda path: path.stem)
def test_no_claim_is_confirmed_on_a_right_program(path: Path, host: Host) -> None:
    pack = load_pack(REPOSITORY / "bosses" / path.stem)
    impostors = read_impostors(pack.path)
    assert impostors is not None
    right = right_programs(ImpostorSource(pack.path, pack.definition.metadata.entry_files), host.version)
    by_id = {impostor.id: impostor for impostor in impostors.impostors}
    claims = [claim_of(by_id[name], fields) for name, fields in yaml.safe_load(path.read_text()).items()]
    for program in right.programs:
        assert [each.claim.fault for each in check_claims(host, program, right, claims) if each.is_confirmed] == []
