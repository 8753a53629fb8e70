"""A judge that claims the fault of each impostor is confirmed, and no claim about another one's is."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from evalforge.evidence.suite.claims import check_claims, right_programs
from evalforge.evidence.suite.impostors import ImpostorSource
from evalforge.evidence.suite.planting import read_program
from evalforge.model.claim import Claim
from evalforge.model.submission import Submission
from evalforge.packs.impostors import plant, read_impostors
from evalforge.packs.pack import load_pack
from evalforge.sandbox.client import Host
from evalforge.sandbox.player_test_host import PlayerTestHost
from tests.conftest import REPOSITORY

CLAIMED = sorted(Path(__file__).with_name("claimed").glob("*.yaml"))
BOTH_TRUE = {("one-place-too-many", "asking-is-using")}
"""An impostor, and another one whose claim is true of it too."""


@pytest.fixture(scope="module")
def hosts(program_host: Host) -> Iterator[list[PlayerTestHost]]:
    hosts = [PlayerTestHost(program_host), PlayerTestHost(program_host)]
    yield hosts
    for host in hosts:
        host.shut_down()


def test_every_boss_has_claims() -> None:
    assert [path.stem for path in CLAIMED] == sorted(path.parent.name for path in REPOSITORY.glob("bosses/*/boss.yaml"))


@pytest.mark.rotating
@pytest.mark.parametrize("path", CLAIMED, ids=lambda path: path.stem)
def test_exactly_the_true_claims_are_confirmed(path: Path, hosts: list[PlayerTestHost]) -> None:
    pack = load_pack(REPOSITORY / "bosses" / path.stem)
    impostors = read_impostors(pack.path)
    assert impostors is not None
    right = right_programs(ImpostorSource(pack.path, pack.definition.metadata.entry_files), hosts[0].version)
    by_id = {impostor.id: impostor for impostor in impostors.impostors}
    claimed = [
        (by_id[name], Claim(criterion_id=by_id[name].owner, fault=name, contract=by_id[name].says, test=test))
        for name, test in yaml.safe_load(path.read_text()).items()
    ]
    sources = {program.name: read_program(pack.path, program) for program in impostors.right}
    programs = {impostor.id: plant(sources[impostor.of], impostor) for impostor, _ in claimed} | sources
    wrong: dict[str, str] = {}
    for name, files in programs.items():
        results = check_claims(hosts, Submission.of(files), right, [claim for _, claim in claimed])
        for result in results:
            other = result.claim.fault
            if result.is_confirmed != (other == name or (name, other) in BOTH_TRUE):
                wrong[f"{other} on {name}"] = result.message
    assert wrong == {}
