"""A submission as data for a model: JSON lines between borders nobody can guess, with nothing invisible in them."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from evalforge.model.submission import Submission, SubmissionFile
from evalforge.model.text import clean

CHARACTERS_PER_TOKEN = 3.2
_ALL_CHARACTERS = 128_000
_DATA_CHARACTERS = 4_000
_LINE_CAP = 1_000
_TEXT_CAP = 200_000
_CODE = frozenset({".py", ".pyi"})

# Words with which prompts mark turns, roles and borders, ours among them. Plain spaces only: `\s` would also match what
# a model doesn't take for a space, and so miss what it does.
_POSING = re.compile(
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
        text: The user turn's data, borders included.
        shown: The lines of each file as they are shown, by path.
        cut: What was not shown, in words.
    """

    text: str
    shown: dict[str, tuple[str, ...]]
    cut: tuple[str, ...]


def neutral(line: str, cap: int = _LINE_CAP) -> str:
    """One line made safe to put before a model: invisible characters visible, markers of turns and borders broken."""
    return _POSING.sub(lambda match: _broken(match.group()), clean(line, line_cap=cap, total_cap=max(cap, _TEXT_CAP)))


def _broken(marker: str) -> str:
    """A marker with a visible mark inside, so that it reads the same and marks nothing."""
    middle = max(1, len(marker) // 2)
    return f"{marker[:middle]}⟦·⟧{marker[middle:]}"


def render(submission: Submission, nonce: str, entry_files: Iterable[str] = ()) -> Rendering:
    """Lay a submission out, the most telling files first, within a limit of characters."""
    shown: dict[str, tuple[str, ...]] = {}
    cut: list[str] = []
    out = [f"===BEGIN SUBMISSION {nonce}==="]
    room = _ALL_CHARACTERS
    for file in _ordered(submission.files, frozenset(entry_files)):
        allowed = room if PurePosixPath(file.path).suffix in _CODE else min(room, _DATA_CHARACTERS)
        lines, total = _lines(file, allowed)
        shown[file.path] = lines
        room -= sum(map(len, lines))
        out.append(_json({"file": neutral(file.path), "lines": total}))
        out += (_json([number, line]) for number, line in enumerate(lines, start=1))
        if len(lines) < total:
            out.append(_json({"not_shown": f"{total - len(lines)} more lines"}))
            cut.append(f"{file.path} from line {len(lines) + 1}")
    out += _notes(submission)
    out.append(f"===END SUBMISSION {nonce}===")
    return Rendering("\n".join(out), shown, tuple(cut))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _notes(submission: Submission) -> Iterator[str]:
    """The player's notes, unless they are a README that stands among the files anyway."""
    notes = submission.notes.strip()
    if notes and not any(file.content.strip().startswith(notes) for file in submission.files):
        yield _json({"notes": [neutral(line) for line in notes[:_DATA_CHARACTERS].split("\n")]})


def _lines(file: SubmissionFile, allowed: int) -> tuple[tuple[str, ...], int]:
    """The lines that fit, made neutral, and how many there are."""
    lines = file.content.replace("\r\n", "\n").removesuffix("\n").split("\n")
    kept: list[str] = []
    for line in lines:
        safe = neutral(line)
        allowed -= len(safe) + 1
        if allowed < 0:
            break
        kept.append(safe)
    return tuple(kept), len(lines)


def _ordered(files: tuple[SubmissionFile, ...], entries: frozenset[str]) -> list[SubmissionFile]:
    """Entry files, other code, tests, then everything else: what must not be cut comes first."""

    def rank(file: SubmissionFile) -> tuple[int, str]:
        path = PurePosixPath(file.path)
        if path.name in entries:
            return 0, file.path
        if path.suffix not in _CODE:
            return 3, file.path
        return (2 if "test" in file.path.lower() else 1), file.path

    return sorted(files, key=rank)
