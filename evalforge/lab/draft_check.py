"""Check a draft: its lint issues with their lines, and the loaded pack if nothing prevents that."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from evalforge.lab.draft import DraftPart, LabDraft
from evalforge.lab.files import read_bytes_if_present
from evalforge.model.errors import PackError
from evalforge.packs.document import Document, read_document
from evalforge.packs.level_words import (
    LevelTexts,
    LevelWords,
    level_texts,
    level_words,
    parted_levels,
)
from evalforge.packs.lint.issue import LintIssue, issue_from_error, sort_issues
from evalforge.packs.lint.lint import lint
from evalforge.packs.lint.words_and_rules import parting_issues
from evalforge.packs.pack import BossPack, load_pack


@dataclass(frozen=True)
class DraftIssue:
    """One lint issue of a draft.

    Attributes:
        part: The text it is in; None for another file of the pack.
        file_name: The file's name within the pack.
        line: Counted from 1; None if no line is to blame.
        message: What is wrong, and what to do.
        is_problem: Whether it must be fixed.
    """

    part: DraftPart | None
    file_name: str
    line: int | None
    message: str
    is_problem: bool


@dataclass(frozen=True)
class DraftCheck:
    """The result of a check.

    Attributes:
        pack: The draft as a pack; None as long as it can't be used.
        blocking_issue: Why the draft can't be used; None if it can.
        issues: Every issue, the blocking one first.
        documents: The parsed texts with their line numbers; empty if the draft can't be loaded.
        levels: What each level says and asks; empty if the draft can't be loaded.
        parted: The keys of levels of which only the sentence (True) or only the conditions (False) differ from
            the saved pack.
    """

    pack: BossPack | None
    blocking_issue: DraftIssue | None
    issues: tuple[DraftIssue, ...]
    documents: dict[DraftPart, Document]
    levels: tuple[LevelWords, ...] = ()
    parted: dict[str, bool] = field(default_factory=dict[str, bool])

    def line_of(self, part: DraftPart, location: tuple[str | int, ...]) -> int | None:
        """The line of a location in a text of the draft, counted from 1; None if it isn't there."""
        document = self.documents.get(part)
        return document.line_of(location) if document else None

    def issues_in(self, part: DraftPart) -> tuple[DraftIssue, ...]:
        """The issues in one text."""
        return tuple(issue for issue in self.issues if issue.part is part)


def check_draft(draft: LabDraft) -> DraftCheck:
    """Lint and load a draft; a broken one is a result, not an error."""
    lint_issues = lint(draft.path)
    levels: tuple[LevelWords, ...] = ()
    saved_texts: LevelTexts = {}
    pack: BossPack | None = None
    blocking_issue: DraftIssue | None = None
    documents: dict[DraftPart, Document] = {}
    texts = {draft.file(part).name: part for part in DraftPart}
    try:
        pack = load_pack(draft.path)
        documents = {part: read_document(draft.file(part)) for part in DraftPart}
        levels = _levels(pack, documents)
        saved_texts = _saved_texts(draft)
        files = draft.file(DraftPart.RUBRIC), draft.file(DraftPart.EVIDENCE)
        lint_issues = sort_issues([*lint_issues, *parting_issues(levels, saved_texts, *files)])
    except PackError as error:
        pack, blocking_issue = None, _locate_issue(_draft_issue(issue_from_error(error), draft.path, texts), draft)
    # The two texts edited here come first: problems in the rest of the pack are fixed elsewhere.
    issues = sorted(
        (_locate_issue(_draft_issue(issue, draft.path, texts), draft) for issue in lint_issues), key=_sort_key
    )
    blocking_issues = [blocking_issue] if blocking_issue else []
    parted = {level.key: is_sentence for level, is_sentence in parted_levels(levels, saved_texts)}
    all_issues = tuple(dict.fromkeys([*blocking_issues, *issues]))
    return DraftCheck(pack, blocking_issue, all_issues, documents, levels, parted)


def _levels(pack: BossPack, documents: dict[DraftPart, Document]) -> tuple[LevelWords, ...]:
    return level_words(pack.rubric, pack.rules, documents[DraftPart.RUBRIC], documents[DraftPart.EVIDENCE])


def _saved_texts(draft: LabDraft) -> LevelTexts:
    """What the levels of the saved pack say and ask; nothing if its files have become invalid."""
    try:
        return level_texts(_levels(draft.pack, {part: read_document(draft.saved_file(part)) for part in DraftPart}))
    except (PackError, LookupError, StopIteration):
        return {}


_LINE_PATTERNS = (
    (re.compile(r"pass_threshold \S+ is above"), r"^\s*[\"']?pass_threshold[\"']?\s*:", 0),
    (re.compile(r"criterion id '(\S+)' is used more than once"), r"^\s*-?\s*id:\s*[\"']?{}[\"']?\s*$", 1),
)
"""Messages about a whole rubric, which lint puts on line 1: the message, the line to find, and which match of it."""


def _locate_issue(issue: DraftIssue, draft: LabDraft) -> DraftIssue:
    """Move an issue from line 1 to the line it is about, where ``_LINE_PATTERNS`` knows how to find it."""
    if issue.part is not DraftPart.RUBRIC or issue.line != 1:
        return issue
    for message_pattern, line_pattern, match_index in _LINE_PATTERNS:
        match = message_pattern.search(issue.message)
        if match:
            text = (read_bytes_if_present(draft.file(issue.part)) or b"").decode("utf-8", "replace")
            wanted_line = re.compile(line_pattern.format(*map(re.escape, match.groups())))
            matches = [number for number, line in enumerate(text.splitlines(), start=1) if wanted_line.match(line)]
            return replace(issue, line=matches[match_index]) if len(matches) > match_index else issue
    return issue


def _draft_issue(issue: LintIssue, folder: Path, texts: dict[str, DraftPart]) -> DraftIssue:
    file_name = issue.path.relative_to(folder).as_posix() if issue.path.is_relative_to(folder) else issue.path.name
    return DraftIssue(texts.get(file_name), file_name, issue.line, issue.message, issue.is_problem)


def _sort_key(issue: DraftIssue) -> tuple[int, str, int]:
    parts = list(DraftPart)
    return (parts.index(issue.part) if issue.part else len(parts), issue.file_name, issue.line or 0)
