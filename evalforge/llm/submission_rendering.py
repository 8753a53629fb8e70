"""A submission as data for a model: numbered lines between unguessable borders, without invisible characters.

A player may write anything into a file, even text that looks like the end of the data or like the next turn of the
conversation (``===END SUBMISSION``, ``<|im_start|>``, ``Human:``). Each line is neutralized before a model reads it,
and begins with its number: ``12|    return total``. So a player's line can't look like one of ours.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from evalforge.model.submission import Submission, SubmissionFile
from evalforge.model.text import clean

CHARS_PER_TOKEN = 3.2
_MAX_SUBMISSION_CHARS = 128_000
_MAX_DATA_FILE_CHARS = 4_000
_MAX_LINE_CHARS = 1_000
_MAX_TEXT_CHARS = 200_000
_CODE_SUFFIXES = frozenset({".py", ".pyi"})

# Words that prompts use to mark turns, roles and borders, ours included. Plain spaces only: `\s` would also match what
# a model doesn't take for a space, and so overlook what it does.
_PROMPT_MARKER = re.compile(
    r"<\|[A-Za-z_ ]{1,40}\|>"
    r"|</?(?:system|user|assistant|human|s|system-reminder|submission|instructions?|rubric|evidence)>"
    r"|\[/?INST\]|<</?SYS>>|={3,} ?(?:BEGIN|END) SUBMISSION|\bANTHROPIC_MAGIC_STRING"
    r"|^ *(?:#+ *)?(?:Human|Assistant|System|User) *:",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Rendering:
    """What a model is shown of a submission.

    Attributes:
        text: The data of the user's turn, borders included.
        shown_lines: The lines of each file as the model reads them, by path.
        omissions: What was left out for length, in words such as ``data.csv from line 120``.
    """

    text: str
    shown_lines: dict[str, tuple[str, ...]]
    omissions: tuple[str, ...]


def neutralize(line: str, max_chars: int = _MAX_LINE_CHARS) -> str:
    """Make one line safe for a model: invisible characters become visible, markers of turns and borders are broken.

    ``</system>`` becomes ``</sy⟦·⟧stem>``.
    """
    visible = clean(line, line_cap=max_chars, total_cap=max(max_chars, _MAX_TEXT_CHARS))
    return _PROMPT_MARKER.sub(lambda match: _break_marker(match.group()), visible)


def _break_marker(marker: str) -> str:
    """Insert a visible mark into a marker, so that it stays readable but marks nothing."""
    middle = max(1, len(marker) // 2)
    return f"{marker[:middle]}⟦·⟧{marker[middle:]}"


def render_submission(
    submission: Submission,
    nonce: str,
    entry_files: Iterable[str] = (),
    measured_notes: Sequence[tuple[str, str]] = (),
) -> Rendering:
    """Render a submission within a limit of characters, entry files first; the nonce marks its borders.

    ``measured_notes`` are our titles, each with text that the program influenced, such as its output.
    """
    shown_lines: dict[str, tuple[str, ...]] = {}
    omissions: list[str] = []
    rows = [f"===BEGIN SUBMISSION {nonce}==="]
    chars_left = _MAX_SUBMISSION_CHARS
    for file in _by_importance(submission.files, frozenset(entry_files)):
        is_code = PurePosixPath(file.path).suffix in _CODE_SUFFIXES
        lines, line_count = _lines_that_fit(file, chars_left if is_code else min(chars_left, _MAX_DATA_FILE_CHARS))
        shown_lines[file.path] = lines
        chars_left -= sum(map(len, lines))
        rows.append(f"file {json.dumps(neutralize(file.path), ensure_ascii=False)} ({line_count} lines)")
        rows += _numbered(lines)
        if len(lines) < line_count:
            rows.append(f"({line_count - len(lines)} more lines are not shown)")
            omissions.append(f"{file.path} from line {len(lines) + 1}")
    rows += _notes_lines(submission)
    for title, text in measured_notes:
        rows += (f"measured: {title}", *_numbered(map(neutralize, text.split("\n"))))
    rows.append(f"===END SUBMISSION {nonce}===")
    return Rendering("\n".join(rows), shown_lines, tuple(omissions))


def _numbered(lines: Iterable[str]) -> Iterator[str]:
    return (f"{number}|{line}" for number, line in enumerate(lines, start=1))


def _notes_lines(submission: Submission) -> Iterator[str]:
    """Yield the player's notes, unless they are a README that is among the files anyway."""
    notes = submission.notes.strip()
    if notes and not any(file.content.strip().startswith(notes) for file in submission.files):
        yield "notes"
        yield from _numbered(map(neutralize, notes[:_MAX_DATA_FILE_CHARS].split("\n")))


def _lines_that_fit(file: SubmissionFile, max_chars: int) -> tuple[tuple[str, ...], int]:
    """Return the first lines that fit, neutralized, and how many lines the file has."""
    lines = file.content.replace("\r\n", "\n").removesuffix("\n").split("\n")
    fitting_lines: list[str] = []
    for line in lines:
        safe = neutralize(line)
        max_chars -= len(safe) + 1
        if max_chars < 0:
            break
        fitting_lines.append(safe)
    return tuple(fitting_lines), len(lines)


def _by_importance(files: tuple[SubmissionFile, ...], entry_files: frozenset[str]) -> list[SubmissionFile]:
    """Sort files so that the least important are cut first: entry files, other code, tests, everything else."""

    def rank(file: SubmissionFile) -> tuple[int, str]:
        path = PurePosixPath(file.path)
        if path.name in entry_files:
            return 0, file.path
        if path.suffix not in _CODE_SUFFIXES:
            return 3, file.path
        return (2 if "test" in file.path.lower() else 1), file.path

    return sorted(files, key=rank)
