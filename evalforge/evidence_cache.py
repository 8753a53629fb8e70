"""Evidence stored between sessions, so that code is run again only when its facts may have changed."""

import hashlib
import zlib
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from evalforge.evidence.engine import Engine
from evalforge.evidence.missing_libraries import MISSING_LIBRARIES
from evalforge.evidence.out_of_time import OUT_OF_TIME
from evalforge.model.evidence import Evidence
from evalforge.model.fight_record import record_fight
from evalforge.model.submission import Submission
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.fingerprint import engine_version, framed_files, short_hash
from evalforge.packs.impostors import read_impostors
from evalforge.packs.locations import evidence_cache_folder
from evalforge.packs.pack import BossPack
from evalforge.packs.trial_key import PUBLIC_KEY, trial_seed

_MAX_EVIDENCE_BYTES = 64 * 1024 * 1024
_MAX_FILES = 2_000
_TRANSIENT_FACTS = (MISSING_LIBRARIES, OUT_OF_TIME)
"""While one of these facts is above 0, measuring again may find more."""


def hash_of_what_runs(pack: BossPack) -> str:
    """The hash of everything that a submission and its tests run against: trials, impostors and right programs."""
    impostors = read_impostors(pack.path)
    right = [program.path(pack.path) for program in impostors.right if program.exemplar] if impostors else []
    return short_hash(pack.trials_hash.encode(), *(data for folder in right for data in framed_files(folder)))


def kept_evidence(pack: BossPack, state: Path) -> "EvidenceCache":
    """The evidence that authors' tools have measured of programs and tests under one boss.

    Args:
        pack: The boss.
        state: EvalForge's state folder.
    """
    return EvidenceCache(state, f"check {hash_of_what_runs(pack)}")


class EvidenceCache:
    """A folder with one file per (submission, conditions, engine). An unreadable file counts as missing.

    Args:
        state: EvalForge's state folder.
        conditions: What else decides the facts besides submission and engine, such as the hash of the pack's trials.
    """

    def __init__(self, state: Path, conditions: str) -> None:
        self._folder = evidence_cache_folder(state)
        self._conditions = conditions

    def get(self, content_hash: str) -> Evidence | None:
        """The evidence of a submission; None if it isn't cached."""
        measured = self.find(content_hash)
        return measured[1] if measured else None

    def find(self, content_hash: str) -> tuple[datetime, Evidence] | None:
        """When a submission was measured, and its evidence; None if it isn't cached."""
        file = self._file(content_hash)
        try:
            measured_at = datetime.fromtimestamp(file.stat().st_mtime, UTC)
            data = zlib.decompressobj().decompress(file.read_bytes(), _MAX_EVIDENCE_BYTES)
            return measured_at, Evidence.model_validate_json(data)
        except (OSError, zlib.error, ValueError):
            return None

    def store(self, content_hash: str, evidence: Evidence) -> None:
        """Store the evidence of a submission, unless the machine left a gap in it.

        If it can't be stored, it is measured again next time.
        """
        if any((fact := evidence.fact(name)) is not None and fact.value for name in _TRANSIENT_FACTS):
            return
        try:
            data = evidence.model_dump_json().encode("utf-8", "surrogatepass")
            write_atomically(self._file(content_hash), zlib.compress(data))
        except (OSError, ValueError):
            return
        self._remove_oldest()

    async def measure(self, pack: BossPack, submission: Submission, engine: Engine) -> Evidence:
        """Return a submission's evidence; if it isn't cached, measure it with the public trial key.

        Raises:
            SandboxError: Code can't be run here.
        """
        evidence = self.get(submission.content_hash)
        if evidence is None:
            seed = trial_seed(pack.boss_id, submission.content_hash, PUBLIC_KEY)
            stream = engine.gather(seed, pack.trials, pack.definition.metadata.entry_files, submission)
            evidence = (await record_fight(stream)).evidence
            self.store(submission.content_hash, evidence)
        return evidence

    def _remove_oldest(self) -> None:
        """Delete the oldest files beyond the limit; another process may do so at the same time."""
        with suppress(OSError):
            files = list(self._folder.iterdir())
            if len(files) > _MAX_FILES:
                for file in sorted(files, key=lambda file: file.stat().st_mtime)[: len(files) - _MAX_FILES]:
                    file.unlink(missing_ok=True)

    def _file(self, content_hash: str) -> Path:
        key = hashlib.sha256(f"{content_hash}\0{self._conditions}\0{engine_version()}".encode()).hexdigest()[:32]
        return self._folder / f"{key}.json.z"
