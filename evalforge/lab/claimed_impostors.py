"""Proven claims as impostors: a small fault in a right program that reproduces what a submission was found to do."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import yaml

from evalforge.evidence.engine import Engine
from evalforge.evidence.suite.candidates import find_mutants
from evalforge.evidence.suite.jobs import sample_mutants
from evalforge.evidence.suite.mutant import Mutant
from evalforge.evidence.suite.planting import read_program
from evalforge.lab.claimed_trials import clause_of, distinct_proofs, trial_file
from evalforge.model.claim import Claim
from evalforge.model.events import ClaimChecked
from evalforge.model.evidence import ClaimResult
from evalforge.model.submission import Submission
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.contract_clauses import states
from evalforge.packs.impostors import Impostor, Replacement, RightProgram, read_impostors
from evalforge.packs.pack import BossPack
from evalforge.packs.trial_key import PUBLIC_KEY, trial_seed

_MUTANTS_PER_PROGRAM = 40


async def find_impostor(engine: Engine, pack: BossPack, claim: Claim) -> Impostor | None:
    """Search for a small change to a right program that makes a claim true; None if none of those tried does."""
    impostors = read_impostors(pack.path)
    if impostors is None or not states(pack.definition.metadata.contract, claim.contract):
        return None
    for right in impostors.right:
        files = read_program(pack.path, right)
        program = Submission.of(files)
        for mutant in sample_mutants(_mutants(files), _MUTANTS_PER_PROGRAM):
            if await _is_true(engine, pack, mutant.put_into(program), claim):
                return _impostor(pack, right, files[mutant.path], mutant, claim)
    return None


def _mutants(files: dict[str, str]) -> Iterator[Mutant]:
    for path, content in files.items():
        yield from find_mutants(path, content)[0]


async def _is_true(engine: Engine, pack: BossPack, submission: Submission, claim: Claim) -> bool:
    seed = trial_seed(pack.boss_id, submission.content_hash, PUBLIC_KEY)
    entry_files = pack.definition.metadata.entry_files
    async with aclosing(engine.gather(seed, pack.trials, entry_files, submission, claims=(claim,))) as events:
        return any([event.claim.is_confirmed async for event in events if isinstance(event, ClaimChecked)])


def _impostor(pack: BossPack, right: RightProgram, content: str, mutant: Mutant, claim: Claim) -> Impostor:
    criterion = pack.rubric.criterion(claim.criterion_id)
    clause = clause_of(pack, claim)
    return Impostor(
        id="-".join(re.findall(r"[a-z]+", claim.fault.lower())[:6]),
        of=right.name,
        owner=criterion.id,
        level=criterion.levels[max(0, len(criterion.levels) - 2)].score,
        fault=claim.fault,
        clause=clause,
        says=claim.contract,
        riddle=f"It breaks what the contract says under {clause or 'its first lines'}.",
        change=(_replacement(content, mutant),),
    )


def _replacement(content: str, mutant: Mutant) -> Replacement:
    """Return the changed lines, preceded by as many lines as make them unique in the file."""
    before, after = content.splitlines(keepends=True), mutant.changed(content).splitlines(keepends=True)
    first = mutant.line - 1
    while first and content.count("".join(before[first : mutant.last_line])) != 1:
        first -= 1
    last = mutant.last_line
    return Replacement(file=mutant.path, old="".join(before[first:last]), new="".join(after[first:last]))


def _write_files(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        write_atomically(folder / name, text.encode())


async def write_offers(folder: Path, pack: BossPack, results: list[ClaimResult], engine: Engine) -> tuple[int, int]:
    """Write what proven claims contribute to a pack: ``test_claimed.py`` and ``impostors.yaml``, to be copied into it.

    Returns:
        The number of trials and the number of impostors.
    """
    claims = [result.claim for result in distinct_proofs(results)]
    impostors = [made for claim in claims if (made := await find_impostor(engine, pack, claim)) is not None]
    trials = trial_file(pack, claims)
    listed = {"impostors": [impostor.model_dump(mode="json") for impostor in impostors]}
    # The library's type stubs leave a parameter that isn't used here untyped.
    text = yaml.safe_dump(listed, sort_keys=False, allow_unicode=True)  # pyright: ignore[reportUnknownMemberType]
    await asyncio.to_thread(_write_files, folder, {"test_claimed.py": trials, "impostors.yaml": text})
    return trials.count("\ndef test_claimed_"), len(impostors)
