"""The lab's lists: what moved, exhibit by exhibit, and what there is to mend."""

from collections.abc import Sequence

from evalforge.app.dossier import Dossier
from evalforge.app.foe import foe_of
from evalforge.app.glyphs import Glyphs
from evalforge.app.lab_words import Place, move_lines, note_lines
from evalforge.app.widgets.line_view import Line
from evalforge.app.widgets.paint import wrap
from evalforge.app.widgets.rows import Row
from evalforge.app.words import plural
from evalforge.lab.bench import LabBench, Outcome
from evalforge.lab.check import Note
from evalforge.lab.draft import Part
from evalforge.lab.exhibits import Kind, Source
from evalforge.model.text import clean_line


def move_rows(bench: LabBench, outcome: Outcome, place: Place, glyphs: Glyphs) -> list[Row]:
    """One row for each exhibit: verdicts that moved, then levels, then what could not be scored, then the rest."""

    def rank(source: Source) -> int:
        move = outcome.moves.get(source.id)
        return 2 if move is None else 3 if move.is_still else 0 if move.verdict_moved else 1

    return [_move_row(bench, source, outcome, place, glyphs) for source in sorted(bench.sources, key=rank)]


def _move_row(bench: LabBench, source: Source, outcome: Outcome, place: Place, glyphs: Glyphs) -> Row:
    move = outcome.moves.get(source.id)

    def build(width: int) -> list[Line]:
        if move is not None:
            return move_lines(source.name, move, place, glyphs, width)
        why = bench.failed.get(source.id, "not measured yet")
        lines = wrap(f"not scored: {clean_line(why)}", max(10, width - 2), 3)
        return [((clean_line(source.name), "ash"),), *((("  ", ""), (line, "dim")) for line in lines)]

    return Row(source.id, build, still=move is None)


def note_rows(notes: Sequence[Note], barrier: Note | None, part: Part, glyphs: Glyphs) -> list[Row]:
    """What keeps the draft from being scored, then what is said about the open text, then everything else."""

    def row(index: int, note: Note) -> Row:
        own = note.part is part
        return Row(str(index), lambda width: note_lines(note, glyphs, width, with_place=not own))

    ordered = sorted(enumerate(notes), key=lambda pair: (pair[1] != barrier, pair[1].part is not part))
    return [row(index, note) for index, note in ordered]


def moved_words(outcome: Outcome) -> str:
    """``2 verdicts, 3 levels``."""
    verdicts = sum(move.verdict_moved for move in outcome.moves.values())
    levels = sum(len(move.levels) for move in outcome.moves.values())
    return f"{plural(verdicts, 'verdict')}, {plural(levels, 'level')}" if verdicts or levels else "nothing"


def bench_words(bench: LabBench) -> str:
    """``8 exemplars, 3 tries``."""
    tries = len(bench.chosen)
    exemplars = sum(source.kind is Kind.EXEMPLAR for source in bench.sources)
    told = plural(exemplars, "exemplar")
    return f"{told}, {plural(tries, 'try', 'tries')}" if tries else told


def dossier_of_exhibit(bench: LabBench, outcome: Outcome, exhibit_id: str) -> Dossier:
    """All that is known of one exhibit as it is scored by the draft."""
    exhibit = bench.exhibits[exhibit_id]
    return Dossier(
        foe=foe_of(outcome.pack),
        judgements={judgement.criterion_id: judgement for judgement in outcome.after[exhibit_id].judgements},
        evidence=exhibit.evidence,
        submission=exhibit.submission,
        directory=exhibit.directory,
        hints=outcome.pack.codex.hints,
    )
