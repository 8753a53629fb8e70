"""Evidence kept between sessions by all that decides it, so that code runs again only if its facts may have changed."""

import hashlib
import zlib
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from evalforge.evidence.engine import Engine
from evalforge.evidence.missing_libraries import MISSING_LIBRARIES
from evalforge.evidence.out_of_time import OUT_OF_TIME
from evalforge.evidence.static import is_test_file
from evalforge.model.evidence import Evidence
from evalforge.model.fight_record import record_fight
from evalforge.model.submission import Submission
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.fingerprint import engine_version
from evalforge.packs.known_mistakes import programs_met
from evalforge.packs.locations import evidence_cache_folder, state_folder
from evalforge.packs.pack import BossPack
from evalforge.packs.trial_key import PUBLIC_KEY, trial_seed

_MAX_EVIDENCE_BYTES = 64 * 1024 * 1024
_MAX_FILES = 4_000
_TRANSIENT_FACTS = (MISSING_LIBRARIES, OUT_OF_TIME)
"""While one of these facts is above 0, measuring again may find more."""


class Measurements:
    """What was measured of submissions to one boss under the same conditions, in a file each.

    All that runs decides which file that is: the trials, what they are asked, and the programs that tests meet. An
    unreadable file counts as missing.

    Args:
        conditions: What else decides the facts, such as the interpreter, or what is left out.
        state: EvalForge's state folder; None for the user's.
        meets_programs: Whether the submissions' tests run, which meet right programs and impostors.
        trial_key: The key that decides what trials draw at random, where ``measure`` runs them.
    """

    def __init__(
        self,
        pack: BossPack,
        *conditions: object,
        state: Path | None = None,
        meets_programs: bool = True,
        trial_key: str = PUBLIC_KEY,
    ) -> None:
        self._pack, self._trial_key = pack, trial_key
        self._folder = evidence_cache_folder(state or state_folder())
        self._conditions = hashlib.sha256("\0".join(map(str, (pack.trials_hash, trial_key, *conditions))).encode())
        for part in programs_met(pack.path) if meets_programs else ():
            self._conditions.update(part)

    def find_evidence(self, content_hash: str) -> Evidence | None:
        """The evidence of a submission; None if none is kept."""
        measured = self.find_with_time(content_hash)
        return measured[1] if measured else None

    def find_with_time(self, content_hash: str) -> tuple[datetime, Evidence] | None:
        """When a submission was measured, and its evidence; None if none is kept."""
        file = self._file(content_hash)
        try:
            measured_at = datetime.fromtimestamp(file.stat().st_mtime, UTC)
            data = zlib.decompressobj().decompress(file.read_bytes(), _MAX_EVIDENCE_BYTES)
            return measured_at, Evidence.model_validate_json(data)
        except (OSError, zlib.error, ValueError):
            return None

    def store(self, content_hash: str, evidence: Evidence) -> None:
        """Keep the evidence of a submission, unless the machine left a gap in it.

        If it can't be kept, it is measured again next time.
        """
        if any((fact := evidence.fact(name)) is not None and fact.value for name in _TRANSIENT_FACTS):
            return
        try:
            data = evidence.model_dump_json().encode("utf-8", "surrogatepass")
            write_atomically(self._file(content_hash), zlib.compress(data))
        except (OSError, ValueError):
            return
        self._remove_oldest()

    async def find_or_measure(self, submission: Submission, engine: Engine, *, tests_alone: bool = False) -> Evidence:
        """Return a submission's evidence; if none is kept, measure it, and keep that.

        Raises:
            SandboxError: Code can't be run here.
        """
        evidence = self.find_evidence(submission.content_hash)
        if evidence is None:
            evidence = await self.measure(submission, engine, tests_alone=tests_alone)
            self.store(submission.content_hash, evidence)
        return evidence

    async def measure(self, submission: Submission, engine: Engine, *, tests_alone: bool = False) -> Evidence:
        """Measure a submission, and keep nothing.

        Raises:
            SandboxError: Code can't be run here.
        """
        pack = self._pack
        seed = trial_seed(pack.boss_id, submission.content_hash, self._trial_key)
        entry_files = pack.definition.metadata.entry_files
        stream = engine.gather(seed, pack.trials, entry_files, submission, tests_alone=tests_alone)
        return (await record_fight(stream)).evidence

    def _remove_oldest(self) -> None:
        """Delete the oldest files beyond the limit; another process may do so at the same time."""
        with suppress(OSError):
            files = list(self._folder.iterdir())
            if len(files) > _MAX_FILES:
                for file in sorted(files, key=lambda file: file.stat().st_mtime)[: len(files) - _MAX_FILES]:
                    file.unlink(missing_ok=True)

    def _file(self, content_hash: str) -> Path:
        key = self._conditions.copy()
        key.update(f"\0{content_hash}\0{engine_version()}".encode())
        return self._folder / f"{key.hexdigest()[:32]}.json.z"


def without_tests(submission: Submission) -> Submission:
    """Return the submission without its tests, which prove nothing about the trials."""
    files = tuple(file for file in submission.files if not is_test_file(file.path))
    return Submission(files=files, notes=submission.notes)
