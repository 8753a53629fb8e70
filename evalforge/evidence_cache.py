"""Evidence stored between sessions of authors' tools, so that code is run again only when facts may have changed."""

import hashlib
import zlib
from pathlib import Path

from evalforge.model.evidence import Evidence
from evalforge.packs.atomic_files import write_atomically
from evalforge.packs.fingerprint import engine_version

_MAX_EVIDENCE_BYTES = 64 * 1024 * 1024


class EvidenceCache:
    """A folder with a file for each (submission, trials, engine). An unreadable file counts as missing.

    Args:
        state: EvalForge's state folder.
        trials_hash: The hash of the pack's trials.
    """

    def __init__(self, state: Path, trials_hash: str) -> None:
        self._folder = state / "lab" / "evidence"
        self._trials_hash = trials_hash

    def get(self, content_hash: str) -> Evidence | None:
        """The evidence of a submission; None if it isn't cached."""
        try:
            data = self._file(content_hash).read_bytes()
            return Evidence.model_validate_json(zlib.decompressobj().decompress(data, _MAX_EVIDENCE_BYTES))
        except (OSError, zlib.error, ValueError):
            return None

    def store(self, content_hash: str, evidence: Evidence) -> None:
        """Store the evidence of a submission; if that fails, it is measured again next time."""
        try:
            data = evidence.model_dump_json().encode("utf-8", "surrogatepass")
            write_atomically(self._file(content_hash), zlib.compress(data))
        except (OSError, ValueError):
            return

    def _file(self, content_hash: str) -> Path:
        key = hashlib.sha256(f"{content_hash}\0{self._trials_hash}\0{engine_version()}".encode()).hexdigest()[:32]
        return self._folder / f"{key}.json.z"
