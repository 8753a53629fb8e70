"""Evidence kept between two labs, so that code is run again only when the facts may have changed."""

import hashlib
import zlib
from pathlib import Path

from evalforge.lab.files import read_bytes
from evalforge.lab.instrument import engine_version
from evalforge.library.writing import write_whole
from evalforge.model.evidence import Evidence

_LARGEST = 64 * 1024 * 1024


class EvidenceCache:
    """A folder with a file for each (submission, trials, engine). What is broken in it only costs time.

    Args:
        state: The folder of our state.
        trials: The hash of the trials in force.
    """

    def __init__(self, state: Path, trials: str) -> None:
        self._folder = state / "lab" / "evidence"
        self._trials = trials

    def get(self, content_hash: str) -> Evidence | None:
        """The evidence of a submission; None if it isn't known."""
        data = read_bytes(self._file(content_hash))
        if data is None:
            return None
        try:
            return Evidence.model_validate_json(zlib.decompressobj().decompress(data, _LARGEST))
        except (zlib.error, ValueError):
            return None

    def put(self, content_hash: str, evidence: Evidence) -> None:
        """Keep the evidence of a submission; where that fails it is measured again next time."""
        try:
            data = evidence.model_dump_json().encode("utf-8", "surrogatepass")
            write_whole(self._file(content_hash), zlib.compress(data))
        except (OSError, ValueError):
            return

    def _file(self, content_hash: str) -> Path:
        key = hashlib.sha256(f"{content_hash}\0{self._trials}\0{engine_version()}".encode()).hexdigest()[:32]
        return self._folder / f"{key}.json.z"
