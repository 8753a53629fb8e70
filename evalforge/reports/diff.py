"""What changed between two texts, as a unified diff that stays small and comes soon, whatever the texts."""

import difflib
from collections.abc import Sequence
from typing import Literal

from evalforge.model.base import Frozen

LINES_SHOWN = 400
_LINE_CAP = 400
_CONTEXT = 3
# Beyond this many lines on a side the line-by-line comparison may take seconds; what changed is shown as a whole then.
_COMPARED = 2_000


class FileChange(Frozen):
    """One file that is not the same in two submissions.

    Attributes:
        added: Lines that came.
        removed: Lines that went.
        diff: Unified diff, without the two lines that name the files.
        cut: How many further lines of the diff there are.
    """

    path: str
    kind: Literal["added", "removed", "changed"]
    added: int
    removed: int
    diff: tuple[str, ...]
    cut: int = 0


def change(path: str, before: str | None, after: str | None) -> FileChange | None:
    """How a file changed; None if it didn't.

    Args:
        path: The file's.
        before: Its text, None where there was no such file.
        after: Its text, None where there is no such file any more.
    """
    if before == after:
        return None
    # A file without a line came or went; there is nothing more to tell of it.
    found = _hunks(_lines(before), _lines(after)) if before or after else []
    return FileChange(
        path=path,
        kind="added" if before is None else "removed" if after is None else "changed",
        added=sum(line.startswith("+") for line in found),
        removed=sum(line.startswith("-") for line in found),
        diff=tuple(_clip(line) for line in found[:LINES_SHOWN]),
        cut=max(0, len(found) - LINES_SHOWN),
    )


def _lines(text: str | None) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _hunks(before: Sequence[str], after: Sequence[str]) -> list[str]:
    start, end = _common(before, after)
    one, two = before[start : len(before) - end], after[start : len(after) - end]
    if max(len(one), len(two)) > _COMPARED:
        header = f"@@ -{_span(start, len(one))} +{_span(start, len(two))} @@"
        return [header, *(f"-{line}" for line in one), *(f"+{line}" for line in two)]
    # Only what surrounds the difference is compared; the headers are moved to where it stands in the file.
    lead = max(0, start - _CONTEXT)
    near_one = [*before[lead:start], *one, *before[len(before) - end :][:_CONTEXT]]
    near_two = [*after[lead:start], *two, *after[len(after) - end :][:_CONTEXT]]
    found = list(difflib.unified_diff(near_one, near_two, n=_CONTEXT, lineterm=""))[2:]
    if not found:
        # The texts differ in nothing but the newline at the very end.
        return ["@@ @@", "\\ the newline at the end of the file"]
    return [_moved(line, lead) if line.startswith("@@") else line for line in found]


def _span(start: int, length: int) -> str:
    """Where lines stand, as a header says it: an empty side is named by the line before it."""
    return f"{start + bool(length)},{length}"


def _common(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """How many lines are alike at the start, and at the end."""
    shorter = min(len(before), len(after))
    start = 0
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, end


def _moved(header: str, lead: int) -> str:
    """A hunk's header, counted from the start of the file."""
    parts: list[str] = []
    for part in header.split()[1:3]:
        first, comma, length = part[1:].partition(",")
        parts.append(f"{part[0]}{int(first) + lead}{comma}{length}")
    return f"@@ {' '.join(parts)} @@"


def _clip(line: str) -> str:
    return line if len(line) <= _LINE_CAP else f"{line[:_LINE_CAP]} …"
