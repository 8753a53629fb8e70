"""The files of a folder that are judged and those that are left out, as styled text."""

from textual.content import Content

from evalforge.app.ui.text.styled_text import styled
from evalforge.model.number_format import format_size
from evalforge.model.submission import Submission
from evalforge.model.text import clean_line

_PATHS_SHOWN = 8


def judged_files(submission: Submission) -> Content:
    """List every file that is judged, with its size."""
    return styled(*(
        part
        for file in submission.files
        for part in (
            (f"{format_size(len(file.content.encode('utf-8', 'replace'))):>7}  ", "dim"),
            (f"{clean_line(file.path)}\n", "ash"),
        )
    ))  # fmt: skip


def left_out_files(submission: Submission) -> Content:
    """List what is left out, by reason; and how many more there are if not all are listed."""
    reasons: dict[str, list[str]] = {}
    for entry in submission.left_out:
        reasons.setdefault(clean_line(entry.reason), []).append(clean_line(entry.path))
    parts = [part for reason, paths in reasons.items() for part in _left(reason, paths)]
    if unlisted := submission.total_left_out - len(submission.left_out):
        parts.append((f"and {unlisted} more not listed\n", "dim"))
    return styled(*parts)


def _left(reason: str, paths: list[str]) -> list[tuple[str, str]]:
    """List what was left out for one reason."""
    listed_paths = paths[:_PATHS_SHOWN]
    more = f"  and {len(paths) - len(listed_paths)} more" if len(paths) > len(listed_paths) else ""
    return [
        (f"{reason}\n", "dim"),
        *((f"  {path}\n", "ash") for path in listed_paths),
        (f"{more}\n" if more else "", "dim"),
    ]
