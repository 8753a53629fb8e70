"""The differences between two texts, as a unified diff that is small and quickly computed, whatever the texts."""

import difflib
from collections.abc import Sequence
from typing import Literal

from evalforge.model.base import Frozen

MAX_DIFF_LINES = 400
_MAX_LINE_CHARS = 400
_CONTEXT_LINES = 3
# If either text has more lines than this, comparing line by line may take seconds; both are shown as a whole.
_MAX_COMPARED_LINES = 2_000


class FileChange(Frozen):
    """One file that differs between two submissions.

    Attributes:
        added: Number of added lines.
        removed: Number of removed lines.
        diff: Unified diff, without the two lines that name the files.
        cut: Number of lines that were cut from the diff.
    """

    path: str
    kind: Literal["added", "removed", "changed"]
    added: int
    removed: int
    diff: tuple[str, ...]
    cut: int = 0


def file_change(path: str, before: str | None, after: str | None) -> FileChange | None:
    """Return how a file changed; None if it didn't.

    Args:
        path: The file's path.
        before: Its text; None if the file didn't exist.
        after: Its text; None if the file no longer exists.
    """
    if before == after:
        return None
    # An empty file was added or removed: there is no line to show.
    diff_lines = _hunks(_lines(before), _lines(after)) if before or after else []
    return FileChange(
        path=path,
        kind="added" if before is None else "removed" if after is None else "changed",
        added=sum(line.startswith("+") for line in diff_lines),
        removed=sum(line.startswith("-") for line in diff_lines),
        diff=tuple(_clipped(line) for line in diff_lines[:MAX_DIFF_LINES]),
        cut=max(0, len(diff_lines) - MAX_DIFF_LINES),
    )


def _lines(text: str | None) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _hunks(before: Sequence[str], after: Sequence[str]) -> list[str]:
    start, end = _common_line_counts(before, after)
    first, second = before[start : len(before) - end], after[start : len(after) - end]
    if max(len(first), len(second)) > _MAX_COMPARED_LINES:
        header = f"@@ -{_span(start, len(first))} +{_span(start, len(second))} @@"
        return [header, *(f"-{line}" for line in first), *(f"+{line}" for line in second)]
    # Only the lines around the difference are compared; headers are shifted to their place in the file.
    lines_skipped = max(0, start - _CONTEXT_LINES)
    lines_before = [*before[lines_skipped:start], *first, *before[len(before) - end :][:_CONTEXT_LINES]]
    lines_after = [*after[lines_skipped:start], *second, *after[len(after) - end :][:_CONTEXT_LINES]]
    diff_lines = list(difflib.unified_diff(lines_before, lines_after, n=_CONTEXT_LINES, lineterm=""))[2:]
    if not diff_lines:
        # The texts differ only in the newline at the very end.
        return ["@@ @@", "\\ the newline at the end of the file"]
    return [_shifted_header(line, lines_skipped) if line.startswith("@@") else line for line in diff_lines]


def _span(start: int, length: int) -> str:
    """Format a line range for a hunk header; an empty range names the line before it."""
    return f"{start + bool(length)},{length}"


def _common_line_counts(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """Count the equal lines at the start and at the end."""
    shorter = min(len(before), len(after))
    start = 0
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, end


def _shifted_header(header: str, lines_skipped: int) -> str:
    """Shift a hunk's header so that it counts from the start of the file."""
    parts: list[str] = []
    for part in header.split()[1:3]:
        first, comma, length = part[1:].partition(",")
        parts.append(f"{part[0]}{int(first) + lines_skipped}{comma}{length}")
    return f"@@ {' '.join(parts)} @@"


def _clipped(line: str) -> str:
    return line if len(line) <= _MAX_LINE_CHARS else f"{line[:_MAX_LINE_CHARS]} …"
