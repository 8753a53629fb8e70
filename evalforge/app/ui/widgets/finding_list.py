"""Findings by file, one line each; the one under the cursor is shown in full next to the list."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.inline_code import fit_runs, mark_code
from evalforge.app.ui.widgets.line_list import LineList
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit_ends
from evalforge.model.evidence import Finding
from evalforge.model.text import clean_line


class FindingList(LineList):
    """The findings of one criterion. The screen handles tab and page keys."""

    DEFAULT_CSS = """
    FindingList { height: auto; max-height: 8; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "finding", key_display="↑↓", id="findings.up"),
        Binding("down,j", "move(1)", "finding", show=False, id="findings.down"),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._findings: tuple[Finding, ...] = ()
        self._lines: tuple[int | str, ...] = ("",)
        """The content of each line: the index of a finding, or the file of the findings below it."""

    def show(self, findings: Sequence[Finding]) -> None:
        """List these findings; those of one file should be adjacent."""
        self._findings = tuple(findings)
        self._lines = tuple(_lines(self._findings)) or ("",)
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
        """Give each finding a line; lines with file names belong to no finding."""
        del width
        return [line if isinstance(line, int) else -1 for line in self._lines]

    def line(self, y: int) -> Line:
        """Draw a finding, or the file above several."""
        ellipsis, index = look(self).glyphs.ellipsis, self._lines[y]
        # A blank cell before the scrollbar.
        width = self.line_width - (1 if len(self._lines) > self.size.height else 0)
        if isinstance(index, int):
            return self._finding_line(index, width)
        if not self._findings:
            return (("   No specific lines.", "dim"),)
        return ((" ", ""), (fit_ends(index, width - 1, ellipsis), "steel"))

    def _finding_line(self, index: int, width: int) -> Line:
        glyphs, finding, at_cursor = look(self).glyphs, self._findings[index], index == self.cursor
        digits = max((len(str(other.line)) for other in self._findings if other.path and other.line), default=0)
        number = f"{finding.line or '':>{digits}}  " if finding.path and digits else ""
        # Only the trial's title: expected and got are shown in full next to the list.
        text = mark_code(finding.trial or finding.message, "ash" if at_cursor else "dim")
        failed = f"{glyphs.failed} " if finding.trial else ""
        return (
            (f" {glyphs.cursor if at_cursor else ' '} ", "bold ember"),
            (number, "bold steel" if at_cursor else "steel"),
            (failed, "blood"),
            *fit_runs(text, max(1, width - 3 - len(number) - len(failed)), glyphs.ellipsis),
        )


def _lines(findings: Sequence[Finding]) -> Iterator[int | str]:
    """Yield each file followed by its findings, and findings without a file."""
    path = ""
    for index, finding in enumerate(findings):
        if finding.path != path:
            path = finding.path
            if path:
                yield clean_line(path)
        yield index
