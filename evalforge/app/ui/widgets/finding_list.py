"""Findings by file; the one under the cursor is shown in full next to the list."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.inline_code import mark_code, wrap_runs
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit_ends
from evalforge.model.evidence import Finding
from evalforge.model.text import clean_line


class FindingList(LineList):
    """The findings of one criterion, each on ``max_lines`` at most. The screen handles tab and page keys."""

    DEFAULT_CSS = """
    FindingList { height: auto; max-height: 8; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "finding", key_display="↑↓", id="findings.up"),
        Binding("down,j", "move(1)", "finding", show=False, id="findings.down"),
    ]

    def __init__(self, *, max_lines: int = 1, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._max_lines = max_lines
        self._findings: tuple[Finding, ...] = ()
        self._lines: list[tuple[int | str, int]] = []
        """The content of each line: the index of a finding and which of its lines, or a file."""

    def show(self, findings: Sequence[Finding]) -> None:
        """List these findings; those of one file should be adjacent."""
        self._findings = tuple(findings)
        self.renew(len(self._findings))

    @property
    def selection(self) -> Finding | None:
        """The finding under the cursor."""
        return self._findings[self.cursor] if self.cursor < len(self._findings) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the arrow keys for fewer than two findings."""
        return action == "move" and parameters in ((-1,), (1,)) and self.count > 1

    def key_of(self, index: int) -> str:
        """The file and line of a finding."""
        return self._findings[index].place

    def item_of_lines(self, width: int) -> Sequence[int]:
        """Give each finding its lines; lines with file names belong to no finding."""
        self._lines = []
        for entry in _entries(self._findings) if self._findings else ("",):
            line_count = len(self._texts(entry, width - 1)) if isinstance(entry, int) else 1
            self._lines += [(entry, part) for part in range(line_count)]
        return [entry if isinstance(entry, int) else -1 for entry, _ in self._lines]

    def line(self, y: int) -> Line:
        """Draw a finding, or the file above several."""
        entry, part = self._lines[y]
        if not isinstance(entry, int):
            text = fit_ends(entry, self.line_width - 2, look(self).glyphs.ellipsis)
            return ((" ", ""), (text, "steel")) if self._findings else (("   No specific lines.", "dim"),)
        head = self._head(entry)
        if part:
            head = ((" " * sum(len(text) for text, _ in head), ""),)
        return (*head, *self._texts(entry, self.line_width - 1)[part])

    def _head(self, index: int) -> Line:
        glyphs, finding, at_cursor = look(self).glyphs, self._findings[index], index == self.cursor
        digits = max((len(str(other.line)) for other in self._findings if other.path and other.line), default=0)
        number = f"{finding.line or '':>{digits}}  " if finding.path and digits else ""
        return (
            (f" {glyphs.cursor if at_cursor else ' '} ", "bold ember"),
            (number, "bold steel" if at_cursor else "steel"),
            (f"{glyphs.failed} " if finding.trial else "", "blood"),
        )

    def _texts(self, index: int, width: int) -> Sequence[Line]:
        """The lines of a finding's text: of a trial only its title, since the rest is shown next to the list."""
        finding, room = self._findings[index], width - sum(len(text) for text, _ in self._head(index))
        runs = mark_code(finding.trial or finding.message, "ash" if index == self.cursor else "dim")
        return wrap_runs(runs, max(1, room), self._max_lines, look(self).glyphs.ellipsis)


def _entries(findings: Sequence[Finding]) -> Iterator[int | str]:
    """Yield each file followed by its findings, and findings without a file."""
    path = ""
    for index, finding in enumerate(findings):
        if finding.path != path:
            path = finding.path
            if path:
                yield clean_line(path)
        yield index
