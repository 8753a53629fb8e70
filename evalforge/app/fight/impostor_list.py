"""How the player's tests did on right programs and impostors: wrong tests first, then missed impostors."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.cells import cell_len

from evalforge.app.fight.stage.impostor_scene import test_findings, unmeasured_reason, wrong_expectations
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.inline_code import fit_runs, mark_code, wrap_runs
from evalforge.app.ui.widgets.line_view import Line
from evalforge.app.ui.widgets.painting import fit_ends
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.model.errors import PackError
from evalforge.model.evidence import Evidence, Finding, ImpostorFate, ImpostorResult
from evalforge.model.impostor_tally import own_faults
from evalforge.model.text import clean_line
from evalforge.packs.impostors import broken_words

_BEFORE_IMPOSTORS = "This was judged before impostors existed."
_MISSED = ("Missed (", "Let through (")
"""The start of a missed impostor's line, now and in older attempts."""
_MAX_CLAUSE_WIDTH = 24
_MAX_RIDDLE_WIDTH = 72
_WIDE = 64
"""With at least this many cells, a clause is next to its riddle, not below it."""
_MAX_WORD_LINES = 4
_MIN_NAME_WIDTH = 8


@dataclass(frozen=True)
class ImpostorEntry:
    """One result of the tests.

    Attributes:
        glyph: The sign before it.
        role: The sign's role.
        clause: The section of the contract it is about; empty for a test.
        test: The test and its location; empty if no test is named.
        riddle_of: The id of the missed impostor whose riddle it is; empty if it isn't one.
    """

    glyph: str
    role: str
    text: str
    clause: str = ""
    test: str = ""
    place: Finding | None = None
    riddle_of: str = ""


class ImpostorList(Rows):
    """Tests and impostors, in sections; tests can be opened."""

    def __init__(self, opens: str = "its code", *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(opens, id=id)
        self._entries: list[ImpostorEntry] = []
        self._evidence = Evidence()
        self._hints: dict[str, str] = {}

    @property
    def riddle(self) -> str:
        """The id of the missed impostor under the cursor that has no hint yet; else empty."""
        impostor_id = self._entries[int(self.key)].riddle_of if self.key else ""
        return "" if impostor_id in self._hints else impostor_id

    def quote_contract(self, pack: Path) -> None:
        """Quote, below the riddle under the cursor, the part of the contract that the impostor breaks."""
        try:
            clause_text = broken_words(pack).get(self.riddle, "")
        except PackError as error:
            self.notify(clean_line(str(error)), severity="warning", markup=False)
            return
        self._hints[self.riddle] = (
            f"The contract says: “{clause_text}”" if clause_text else "The boss has changed since, so there is no hint."
        )
        self._show_sections(self._evidence)
        self.screen.refresh_bindings()

    @property
    def place(self) -> Finding | None:
        """The test under the cursor, with what it did; None if there is none."""
        return self._entries[int(self.key)].place if self.key else None

    def show_evidence(self, evidence: Evidence) -> None:
        """List the results of the tests and of the impostors they ran on."""
        self._evidence, self._hints = evidence, {}
        self._show_sections(evidence)

    def _show_sections(self, evidence: Evidence) -> None:
        self._entries = []
        glyphs, rows = look(self).glyphs, list[Row]()
        for sentence in _sentences(evidence):
            rows.append(_paragraph(sentence))
        for title, entries in _sections(evidence, glyphs):
            if entries:
                rows += self._section(title, entries, glyphs)
        self.show(rows)

    def show_sentence(self, sentence: str) -> None:
        """Show one sentence instead of a list."""
        self._entries = []
        self.show([_paragraph(sentence)])

    def _section(self, title: str, entries: Sequence[ImpostorEntry], glyphs: Glyphs) -> list[Row]:
        rows = [_title(title, len(entries), is_first=not self._entries)]
        clause_width = min(_MAX_CLAUSE_WIDTH, max(cell_len(clean_line(entry.clause)) for entry in entries))
        for entry in entries:
            hint = self._hints.get(entry.riddle_of, "")
            rows.append(_entry_row(str(len(self._entries)), entry, hint, clause_width, glyphs.ellipsis))
            self._entries.append(entry)
        return rows


def _sentences(evidence: Evidence) -> list[str]:
    """Why nothing was measured, or why the figure is incomplete."""
    unmasked = evidence.fact("tests.unmasked")
    if unmasked is None:
        return [] if evidence.impostors else [_BEFORE_IMPOSTORS]
    own = [fault_text] if (fault_text := own_faults(evidence)) else []
    if reason := unmeasured_reason(evidence):
        return [reason, *own]
    # The findings of this fact are a line for each missed impostor, and remarks on all of them.
    remarks = [finding.message for finding in unmasked.findings if not finding.message.startswith(_MISSED)]
    counts = (evidence.fact(name) for name in ("tests.out_of_time", "tests.impostors"))
    return [*remarks, *(finding.message for count in counts if count for finding in count.findings), *own]


def _sections(evidence: Evidence, glyphs: Glyphs) -> Iterable[tuple[str, list[ImpostorEntry]]]:
    yield "These tests fail on a right program", _test_entries(wrong_expectations(evidence), "!", "bold blood")
    if not unmeasured_reason(evidence):
        by_fate = {
            fate: [impostor for impostor in evidence.impostors if impostor.fate is fate] for fate in ImpostorFate
        }
        through = by_fate[ImpostorFate.LET_THROUGH]
        yield "Missed", [_riddle_entry(riddle, glyphs) for riddle in through]
        yield "Caught", [_unmasked_entry(impostor, glyphs) for impostor in by_fate[ImpostorFate.UNMASKED]]
    wavering, inner = test_findings(evidence, "tests.wavering"), test_findings(evidence, "tests.inner")
    yield "Unstable tests", _test_entries(wavering, glyphs.half_pip, "bold ember")
    yield "Inner tests", _test_entries(inner, glyphs.empty_pip, "dim")


def _riddle_entry(impostor: ImpostorResult, glyphs: Glyphs) -> ImpostorEntry:
    return ImpostorEntry(glyphs.failed, "bold blood", impostor.riddle, impostor.clause, riddle_of=impostor.id)


def _unmasked_entry(impostor: ImpostorResult, glyphs: Glyphs) -> ImpostorEntry:
    place = Finding(message=f"Catches: {impostor.riddle}", path=impostor.path, line=impostor.line)
    return ImpostorEntry(
        glyphs.passed, "bold verdigris", impostor.riddle, impostor.clause, clean_line(impostor.test), place
    )


def _test_entries(findings: Iterable[Finding], glyph: str, role: str) -> list[ImpostorEntry]:
    return [ImpostorEntry(glyph, role, finding.message, place=finding) for finding in findings]


def _paragraph(sentence: str) -> Row:
    """A sentence, with a blank line below it."""

    def build(width: int) -> list[Line]:
        return [*wrap_runs(mark_code(sentence, "ember"), width - 1, _MAX_WORD_LINES), ()]

    return Row("", build, is_static=True)


def _title(title: str, count: int, *, is_first: bool) -> Row:
    """A section's heading, with a blank line above all but the first."""
    line: Line = ((title, "bold steel"), (f"  {count}", "dim"))
    return Row("", lambda _: [line] if is_first else [(), line], is_static=True)


def _entry_row(key: str, entry: ImpostorEntry, hint: str, clause_width: int, ellipsis: str) -> Row:
    def build(width: int) -> list[Line]:
        lines = _entry_lines(entry, width, clause_width, ellipsis)
        hint_runs = wrap_runs(mark_code(clean_line(hint), "steel"), min(width - 5, _MAX_RIDDLE_WIDTH), _MAX_WORD_LINES)
        return [*lines, *((("    ", ""), *text) for text in hint_runs)] if hint else lines

    return Row(key, build, shut=not (entry.place and entry.place.path))


def _entry_lines(entry: ImpostorEntry, width: int, clause_width: int, ellipsis: str) -> list[Line]:
    """Sign and text, the clause next to them if there is room; below, the test and its location."""
    text_width = width - 3
    clause, is_beside = clean_line(entry.clause), bool(entry.clause) and width >= _WIDE
    words_room = min(text_width - clause_width - 2, _MAX_RIDDLE_WIDTH) if is_beside else text_width
    lines: list[Line] = []
    for index, line in enumerate(wrap_runs(mark_code(entry.text, "ash"), words_room, _MAX_WORD_LINES, ellipsis)):
        head = ("  ", "") if index else (f"{entry.glyph} ", entry.role)
        tail: Line = (("  ", ""), (fit_ends(clause, clause_width, ellipsis), "dim")) if is_beside and not index else ()
        lines.append((head, *(fit_runs(line, words_room, ellipsis) if tail else line), *tail))
    if clause and not is_beside:
        lines.append((("  ", ""), (fit_ends(clause, text_width, ellipsis).rstrip(), "dim")))
    if entry.place is not None and entry.place.path:
        lines.append(_test_line(entry, text_width, ellipsis))
    return lines


def _test_line(entry: ImpostorEntry, width: int, ellipsis: str) -> Line:
    """The test's name, as much of it as fits next to its location."""
    place = clean_line(entry.place.place) if entry.place else ""
    name_room = width - cell_len(place) - 2
    if not entry.test or name_room < _MIN_NAME_WIDTH:
        return (("  ", ""), (fit_ends(place, width, ellipsis).rstrip(), "steel"))
    name = fit_ends(entry.test, min(cell_len(entry.test), name_room), ellipsis)
    return (("  ", ""), (name, "dim"), ("  ", ""), (place, "steel"))


def contract_words(evidence: Evidence) -> str:
    """How many tests could run on impostors, such as ``10 tests met them``; empty if that was not measured."""
    contract = evidence.fact("tests.contract")
    if contract is None or not isinstance(contract.value, int):
        return ""
    return f"{plural(contract.value, 'test')} met them"
