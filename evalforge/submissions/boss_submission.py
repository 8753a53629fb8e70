"""Which folder and which entry file a player means by a directory, so that a wrong one isn't counted as an attempt.

A program starts at the boss's entry file. If a directory has none, but a folder in it has one, that folder is
the submission, as after unpacking an archive of a folder. A single Python file with another name is used as the
entry file.
"""

from pathlib import Path, PurePosixPath

from evalforge.model.errors import SubmissionError
from evalforge.model.submission import Submission
from evalforge.model.text import clean_line
from evalforge.packs.pack import BossPack
from evalforge.submissions.collect import collect
from evalforge.submissions.entry import find_entry

_MAX_FILES_NAMED = 3
_SOURCE_FOLDERS = frozenset({"src", "lib"})


def collect_for(pack: BossPack, directory: Path, notes: str = "") -> Submission:
    """Collect a player's submission for a boss.

    Args:
        pack: The boss; if it names no entry file, any files are accepted.
        directory: The folder with the solution.
        notes: The player's notes on the approach; if empty, a README is used.

    Returns:
        The submission; ``folder`` is where in the directory it was found.

    Raises:
        SubmissionError: The directory holds nothing that can be judged, or not the boss's program.
    """
    entry_files = pack.definition.metadata.entry_files
    submission = collect(directory, notes)
    if not entry_files or not submission.files:
        return submission
    if find_entry(submission, entry_files) is None:
        return _rename_entry(submission, entry_files, directory)
    inner = _inner_folder(submission, entry_files)
    if not inner:
        return submission
    return collect(directory / inner, notes).model_copy(update={"folder": inner})


def _inner_folder(submission: Submission, entry_files: tuple[str, ...]) -> str:
    """The single folder that holds every file of a submission; empty if that is the directory itself."""
    packages = {name.removesuffix(".py") for name in entry_files}
    tops = {PurePosixPath(file.path).parts[:-1][:1] for file in submission.files if file.path.endswith(".py")}
    folders = {top[0] for top in tops if top}
    if () in tops or len(folders) != 1 or not folders.isdisjoint(packages | _SOURCE_FOLDERS):
        return ""
    return folders.pop()


def renaming_notice(pack: BossPack, submission: Submission) -> tuple[str, ...]:
    """Return a remark for the player if a file with another name was used as the entry file."""
    if not submission.entry_was:
        return ()
    entry_name = pack.definition.metadata.entry_files[0]
    return (f"{submission.entry_was} was used as {entry_name}: rename it.",)


def _rename_entry(submission: Submission, entry_files: tuple[str, ...], directory: Path) -> Submission:
    """Return the submission with its only Python file renamed to the entry file's name."""
    entry_name = entry_files[0]
    sources = [file for file in submission.files if file.path.endswith(".py")]
    if len(sources) == 1 and not sources[0].name.startswith("test"):
        only = sources[0]
        renamed = only.model_copy(update={"path": entry_name})
        files = sorted((renamed if file is only else file for file in submission.files), key=lambda file: file.path)
        return submission.model_copy(update={"files": tuple(files), "entry_was": only.path})
    for file in submission.left_out:
        if PurePosixPath(file.path).name in entry_files:
            raise SubmissionError(
                f"{file.path} in {directory} can't be judged: {file.reason}.", "Fix it, then try again."
            )
    names = ", ".join(clean_line(file.path) for file in sources[:_MAX_FILES_NAMED])
    more = f" and {len(sources) - _MAX_FILES_NAMED} more" if len(sources) > _MAX_FILES_NAMED else ""
    raise SubmissionError(
        f"There is no {entry_name} in {directory}; found {names}{more}.",
        f"Name your program {entry_name}, or choose another folder.",
    )
