"""A submission's files on disk for a host: private, and deleted afterwards."""

import copy
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Self

from evalforge.model.submission import Submission
from evalforge.sandbox.host.protocol.run_messages import AnswerMarks


class StagedSubmission:
    """A private copy of a submission's files, but for those to leave out (see ``evidence.control_files``).

    Attributes:
        path: The folder.
        python_files: The Python files in it, relative to it.
        bytecode: A folder of compiled modules, once there is one.
        import_path: Folders in it to import from, relative to it.
        marks: What is noted or changed in runs, if its bytecode is marked.
    """

    def __init__(self, submission: Submission, leave_out: frozenset[str] = frozenset()) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="evalforge-submission-", ignore_cleanup_errors=True)
        self.path = Path(self._folder.name).resolve() / "submission"
        self.path.mkdir()
        self.python_files: list[str] = []
        for file in submission.files:
            if file.path in leave_out:
                continue
            target = self.path / PurePosixPath(file.path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.content.encode("utf-8", "surrogatepass"))
            if target.suffix == ".py":
                self.python_files.append(file.path)
        self.bytecode: Path | None = None
        self.marks: AnswerMarks | None = None
        self.import_path = ["", "src"] if (self.path / "src").is_dir() else [""]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()

    def keep_bytecode(self, files: Mapping[str, bytes]) -> None:
        """Write the submission's bytecode beside it, for ``sys.pycache_prefix``. None of our processes loads it.

        Args:
            files: Content by relative path: the source's folder, and a name like ``module.cpython-311.pyc``.
        """
        folder = self.path.parent / secrets.token_hex(8)  # a program can't tell by it whether answers are marked
        for name, content in files.items():
            target = folder / PurePosixPath(name)
            if ".." in target.parts or not target.is_relative_to(folder / self.path.relative_to("/")):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            self.bytecode = folder

    def with_marks(self, marks: AnswerMarks) -> Self:
        """The same files, to be compiled with these marks; what runs of them is not recorded."""
        marked = copy.copy(self)
        marked.python_files, marked.bytecode, marked.marks = [], None, marks
        return marked

    def remove(self) -> None:
        """Delete the staged copy."""
        self._folder.cleanup()
