"""What impostors reveal about a class's tests: which ones most suites miss, and which tests expect something wrong."""

from textual.content import Content

from evalforge.app.classroom.class_state import ClassState
from evalforge.app.classroom.tab_rows import ClassSnapshot, TabRow, hanging_lines, heading_row
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.row_list import Row, message_row
from evalforge.classroom.class_impostors import MissedImpostor, WrongExpectation
from evalforge.model.text import clean_line

_MAX_LINES = 3


def suite_rows(snapshot: ClassSnapshot, _glyphs: Glyphs) -> list[Row]:
    """List each impostor that a suite misses, and each test with a wrong expectation."""
    if snapshot.report is None:
        return [message_row(snapshot.why_not)]
    class_state, impostors = snapshot.class_state, snapshot.report.impostors
    if not impostors.suites:
        return [message_row("No tests of this class were run against impostors.")]
    rows = [heading_row("missed", f"What the tests miss ({len(impostors.missed)})")]
    rows += [_missed_row(index, impostor, class_state) for index, impostor in enumerate(impostors.missed)]
    if not impostors.missed:
        rows.append(message_row("Every suite catches every impostor."))
    if impostors.wrong:
        rows.append(heading_row("wrong", f"What tests expect wrongly ({len(impostors.wrong)})", gap_above=True))
    rows += [_wrong_row(index, expectation, class_state) for index, expectation in enumerate(impostors.wrong)]
    return rows


def _missed_row(index: int, impostor: MissedImpostor, class_state: ClassState) -> TabRow:
    """An impostor, the section of the contract that it breaks, and the rows whose tests accept it."""
    is_of_one = len(impostor.row_ids) == 1
    return TabRow(
        f"missed {index}",
        lambda width: hanging_lines(f"{impostor.missed:>3} of {impostor.suites}  ", impostor.fault, width, _MAX_LINES),
        selected_ids=impostor.row_ids if is_of_one else (),
        listed_ids=frozenset(() if is_of_one else impostor.row_ids),
        filter_title=f"whose tests miss: {impostor.fault}",
        details=lambda: styled(
            _title_and_place(impostor.fault, impostor.clause),
            (f"{plural(impostor.missed, 'suite')} of {impostor.suites} miss it  ", "molten"),
            (", ".join(map(class_state.title_of, impostor.row_ids)), "dim"),
        ),
    )


def _wrong_row(index: int, expectation: WrongExpectation, class_state: ClassState) -> TabRow:
    """A test that a right program fails, and whose it is."""
    title = class_state.title_of(expectation.row_id)
    return TabRow(
        f"wrong {index}",
        lambda width: hanging_lines("  ! ", f"{title}: {expectation.message}", width, _MAX_LINES),
        selected_ids=(expectation.row_id,),
        details=lambda: styled(_title_and_place(expectation.message, expectation.place), (title, "dim")),
    )


def _title_and_place(title: str, place: str) -> Content:
    return styled(*spans(clean_line(title), "bold ash"), (f"\n{clean_line(place)}\n\n", "dim"))
