"""A draft checked: what is wrong with it, by line, and the pack it makes if nothing bars that."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from evalforge.lab.draft import LabDraft, Part
from evalforge.lab.files import read_bytes
from evalforge.library.document import Document, read_document
from evalforge.library.lint.check import lint
from evalforge.library.lint.remark import Remark, from_error, in_order
from evalforge.library.pack import BossPack, load_pack
from evalforge.model.errors import PackError


@dataclass(frozen=True)
class Note:
    """One thing to say about a draft.

    Attributes:
        part: The text it is about; None for another file of the pack.
        place: The file's name within the pack.
        line: Counted from 1; None where no line is to blame.
        message: What is wrong, and what to do.
        is_problem: Whether it must be mended.
    """

    part: Part | None
    place: str
    line: int | None
    message: str
    is_problem: bool


@dataclass(frozen=True)
class Checked:
    """What became of a check.

    Attributes:
        pack: The draft as a pack; None as long as it can't be used.
        barrier: What keeps it from being used.
        notes: All there is to say; the barrier comes first.
        documents: The texts, with their lines.
    """

    pack: BossPack | None
    barrier: Note | None
    notes: tuple[Note, ...]
    documents: dict[Part, Document]

    def line_of(self, part: Part, location: tuple[str | int, ...]) -> int | None:
        """The line at which something stands in a text of the draft."""
        document = self.documents.get(part)
        return document.line_of(location) if document else None

    def of(self, part: Part) -> tuple[Note, ...]:
        """What is said about one text."""
        return tuple(note for note in self.notes if note.part is part)


def check(draft: LabDraft) -> Checked:
    """Lint a draft and load it; never raises for a broken one."""
    remarks = in_order(lint(draft.path))
    pack: BossPack | None = None
    barrier: Note | None = None
    documents: dict[Part, Document] = {}
    texts = {draft.file(part).name: part for part in Part}
    try:
        pack = load_pack(draft.path)
        documents = {part: read_document(draft.file(part)) for part in Part}
    except PackError as error:
        pack, barrier = None, _nearer(_note(from_error(error), draft.path, texts), draft)
    # One's own texts come first: the rest of the pack is mended elsewhere.
    notes = sorted((_nearer(_note(remark, draft.path, texts), draft) for remark in remarks), key=_rank)
    first = [barrier] if barrier else []
    return Checked(pack, barrier, tuple(dict.fromkeys([*first, *notes])), documents)


_WHOLE_TEXT = (
    (re.compile(r"pass_threshold \S+ is above"), r"^\s*[\"']?pass_threshold[\"']?\s*:", 0),
    (re.compile(r"criterion id '(\S+)' is used more than once"), r"^\s*-?\s*id:\s*[\"']?{}[\"']?\s*$", 1),
)
"""Faults of a rubric as a whole, which come without a line: what to look for in the text, and which hit it is."""


def _nearer(note: Note, draft: LabDraft) -> Note:
    """The note at the line it speaks of, where only the text as a whole is blamed."""
    if note.part is not Part.RUBRIC or note.line != 1:
        return note
    for words, pattern, which in _WHOLE_TEXT:
        told = words.search(note.message)
        if told:
            text = (read_bytes(draft.file(note.part)) or b"").decode("utf-8", "replace")
            wanted = re.compile(pattern.format(*map(re.escape, told.groups())))
            hits = [at for at, line in enumerate(text.splitlines(), start=1) if wanted.match(line)]
            return replace(note, line=hits[which]) if len(hits) > which else note
    return note


def _note(remark: Remark, folder: Path, texts: dict[str, Part]) -> Note:
    place = remark.path.relative_to(folder).as_posix() if remark.path.is_relative_to(folder) else remark.path.name
    return Note(texts.get(place), place, remark.line, remark.message, remark.is_problem)


def _rank(note: Note) -> tuple[int, str, int]:
    parts = list(Part)
    return (parts.index(note.part) if note.part else len(parts), note.place, note.line or 0)
