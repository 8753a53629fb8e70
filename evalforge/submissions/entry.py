"""The entry of a submission: the file or package at which the boss's program starts."""

from pathlib import PurePosixPath

from evalforge.model.submission import Submission
from evalforge.sandbox.program import Program


def find_entry(submission: Submission, entry_files: tuple[str, ...]) -> Program | None:
    """Find the boss's entry anywhere in the submission: a file or a package of that name; None if there is none.

    A package is run by its ``__main__.py``, or imported if it has none. The entry nearest to the root is used.
    """
    for entry_file in entry_files:
        stem = entry_file.removesuffix(".py")
        candidates: list[tuple[int, str, Program]] = []
        for file in submission.files:
            path = PurePosixPath(file.path)
            if "tests" in path.parts[:-1] or "test" in path.parts[:-1]:
                continue
            if path.name == entry_file:
                candidates.append((len(path.parts), file.path, Program("script", file.path)))
            elif path.name == "__main__.py" and path.parent.name == stem:
                importable = path.parent.parent.as_posix() in (".", "src")
                program = Program("module", stem) if importable else Program("script", path.parent.as_posix())
                candidates.append((len(path.parts), file.path, program))
            elif path.name == "__init__.py" and path.parent.as_posix() in (stem, f"src/{stem}"):
                candidates.append((len(path.parts) + 1, file.path, Program("package", stem)))
        if candidates:
            return min(candidates, key=lambda candidate: candidate[:2])[2]
    return None
