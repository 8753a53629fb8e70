"""What impostors reveal about a class's tests: which ones most suites miss, and which tests expect something wrong."""

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.content import Content

from evalforge.app.classroom.class_state import ClassState
from evalforge.app.classroom.findings import heading_row, message_row, title_of
from evalforge.app.classroom.views import ClassSnapshot, ClassView
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.widgets.inline_code import mark_code, wrap_runs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.text_panel import Panel
from evalforge.classroom.class_impostors import ClassImpostors, MissedImpostor, WrongExpectation
from evalforge.model.text import clean_line

_MISSED_PREFIX, _WRONG_PREFIX = "missed ", "wrong "
_MAX_LINES = 3


class SuitesView(ClassView):
    """Missed impostors, those that most suites miss first, then tests that a right program fails."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._snapshot: ClassSnapshot | None = None

    def compose(self) -> ComposeResult:
        """Compose impostors and tests, and the chosen one in full."""
        yield Rows("show them", id="suites")
        yield Panel(id="suite")

    @property
    def selection(self) -> str:
        """The row of the test under the cursor; empty for an impostor that more than one suite misses."""
        row_ids = self._members(self.query_one(Rows).key)
        return row_ids[0] if len(row_ids) == 1 else ""

    def renew(self, snapshot: ClassSnapshot) -> None:
        """Show what the tests of the class miss."""
        self._snapshot = snapshot
        self.query_one(Rows).show(
            suite_rows(snapshot.report.impostors, snapshot.class_state)
            if snapshot.report
            else [message_row("", snapshot.why_not)]
        )

    def _finding_at(self, key: str) -> MissedImpostor | WrongExpectation | None:
        report = self._snapshot.report if self._snapshot else None
        if report is None:
            return None
        if key.startswith(_MISSED_PREFIX):
            return report.impostors.missed[int(key.removeprefix(_MISSED_PREFIX))]
        return report.impostors.wrong[int(key.removeprefix(_WRONG_PREFIX))] if key.startswith(_WRONG_PREFIX) else None

    def _members(self, key: str) -> tuple[str, ...]:
        match self._finding_at(key):
            case MissedImpostor(row_ids=row_ids):
                return row_ids
            case WrongExpectation(row_id=row_id):
                return (row_id,)
            case None:
                return ()

    @on(Rows.Pointed)
    def _show_selection(self, event: Rows.Pointed) -> None:
        finding, snapshot = self._finding_at(event.key), self._snapshot
        self.query_one(Panel).set_text(
            _finding_text(finding, snapshot.class_state) if finding and snapshot else Content("")
        )
        self.post_message(self.Pointed(self, self.selection))

    @on(Rows.Opened)
    def _open(self, event: Rows.Opened) -> None:
        finding, row_ids = self._finding_at(event.key), self._members(event.key)
        if len(row_ids) == 1:
            self.post_message(self.Opened(self, row_ids[0]))
        elif isinstance(finding, MissedImpostor):
            self.post_message(self.Narrowed(f"whose tests miss: {finding.fault}", frozenset(row_ids)))


def suite_rows(impostors: ClassImpostors, class_state: ClassState) -> list[Row]:
    """List each impostor that a suite misses, and each test with a wrong expectation."""
    if not impostors.suites:
        return [message_row("none", "No tests of this class were run against impostors.")]
    rows = [heading_row("missed", f"What the tests miss ({len(impostors.missed)})")]
    rows += [_missed_row(index, one) for index, one in enumerate(impostors.missed)]
    if not impostors.missed:
        rows.append(message_row("all", "Every suite catches every impostor."))
    if impostors.wrong:
        rows.append(heading_row("wrong", f"What tests expect wrongly ({len(impostors.wrong)})", gap_above=True))
    rows += [
        _row(f"{_WRONG_PREFIX}{index}", "  ! ", f"{title_of(class_state, one.row_id)}: {one.message}")
        for index, one in enumerate(impostors.wrong)
    ]
    return rows


def _missed_row(index: int, one: MissedImpostor) -> Row:
    return _row(f"{_MISSED_PREFIX}{index}", f"{one.missed:>3} of {one.suites}  ", one.fault)


def _row(key: str, head: str, text: str) -> Row:
    def build(width: int) -> Sequence[Line]:
        lines = wrap_runs(mark_code(clean_line(text), "ash"), max(8, width - len(head)), _MAX_LINES)
        return [((" " * len(head) if at else head, "bold molten"), *line) for at, line in enumerate(lines)]

    return Row(key, build)


def _finding_text(finding: MissedImpostor | WrongExpectation, class_state: ClassState) -> Content:
    """What is wrong, the section of the contract it is about, and the rows it concerns."""
    if isinstance(finding, WrongExpectation):
        return styled(
            *spans(clean_line(finding.message), "bold ash"), (f"\n{clean_line(finding.place)}\n\n", "dim"),
            (clean_line(title_of(class_state, finding.row_id)), "dim"),
        )  # fmt: skip
    names = ", ".join(title_of(class_state, row_id) for row_id in finding.row_ids)
    return styled(
        *spans(clean_line(finding.fault), "bold ash"), (f"\n{clean_line(finding.clause)}\n\n", "dim"),
        (f"{plural(finding.missed, 'suite')} of {finding.suites} miss it  ", "molten"), (names, "dim"),
    )  # fmt: skip
