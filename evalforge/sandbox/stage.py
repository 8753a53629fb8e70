"""A submission laid out on disk for the host: read-only, private, gone afterwards."""

import tempfile
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Self

from evalforge.model.submission import Submission


class Staged:
    """A private copy of a submission's files.

    Args:
        submission: What was handed in.
        leave_out: Paths that are not laid out (see ``evidence.hygiene``).
    """

    def __init__(self, submission: Submission, leave_out: frozenset[str] = frozenset()) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="evalforge-submission-", ignore_cleanup_errors=True)
        self.path = Path(self._folder.name).resolve() / "submission"
        self.path.mkdir()
        for file in submission.files:
            if file.path in leave_out:
                continue
            target = self.path / PurePosixPath(file.path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.content.encode("utf-8", "surrogatepass"))
        self.import_path = ["", "src"] if (self.path / "src").is_dir() else [""]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()

    def remove(self) -> None:
        """Delete the copy."""
        self._folder.cleanup()
