"""Check a draft: its issues with their lines, and the loaded pack if nothing prevents that."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from evalforge.lab.draft import DraftPart, LabDraft
from evalforge.model.errors import PackError
from evalforge.model.number_format import format_number
from evalforge.packs.document import Document, read_document
from evalforge.packs.issue import Issue, issue_from_error
from evalforge.packs.level_words import LevelWords, level_words
from evalforge.packs.lint.lint import lint
from evalforge.packs.pack import BossPack, load_pack


@dataclass(frozen=True)
class DraftCheck:
    """The result of a check.

    Attributes:
        pack: The draft as a pack; None if it can't be used.
        issues: Every issue, those of the two texts first; if the draft can't be used, the first one is the reason.
        documents: The parsed texts with their line numbers; empty if the draft can't be loaded.
        levels: What each level says and asks; empty if the draft can't be loaded.
        half_changed: By a level's key, the one of its halves that differs from the saved pack, if the other doesn't.
    """

    pack: BossPack | None
    issues: tuple[Issue, ...]
    documents: dict[DraftPart, Document] = field(default_factory=dict[DraftPart, Document])
    levels: tuple[LevelWords, ...] = ()
    half_changed: dict[str, DraftPart] = field(default_factory=dict[str, DraftPart])

    @property
    def blocking_issue(self) -> Issue | None:
        """Why the draft can't be used; None if it can."""
        return self.issues[0] if self.pack is None else None

    def line_of(self, part: DraftPart, location: tuple[str | int, ...]) -> int | None:
        """The line of a location in a text of the draft, counted from 1; None if it isn't there."""
        document = self.documents.get(part)
        return document.line_of(location) if document else None


def check_draft(draft: LabDraft) -> DraftCheck:
    """Lint and load a draft; a broken one is a result, not an error."""
    issues = lint(draft.path)
    try:
        pack = load_pack(draft.path)
        documents = {part: read_document(draft.file(part)) for part in DraftPart}
    except PackError as error:
        return DraftCheck(None, tuple(dict.fromkeys([issue_from_error(error), *_sort(draft, issues)])))
    levels = _levels(pack, documents)
    half_changed = _half_changed_levels(levels, _saved_levels(draft))
    issues = _sort(draft, (*issues, *_half_change_issues(draft, levels, half_changed)))
    return DraftCheck(pack, issues, documents, levels, half_changed)


def _sort(draft: LabDraft, issues: tuple[Issue, ...]) -> tuple[Issue, ...]:
    """Put the two texts edited here first: problems in the rest of the pack are fixed elsewhere."""
    files = [draft.file(part) for part in DraftPart]

    def order(issue: Issue) -> tuple[int, str, int]:
        return (files.index(issue.path) if issue.path in files else len(files), str(issue.path), issue.line or 0)

    return tuple(sorted(issues, key=order))


def _levels(pack: BossPack, documents: dict[DraftPart, Document]) -> tuple[LevelWords, ...]:
    return level_words(pack.rubric, pack.rules, documents[DraftPart.RUBRIC], documents[DraftPart.EVIDENCE])


def _saved_levels(draft: LabDraft) -> tuple[LevelWords, ...]:
    """What the levels of the saved pack say and ask; nothing if its files have become invalid."""
    try:
        return _levels(draft.pack, {part: read_document(draft.saved_file(part)) for part in DraftPart})
    except (PackError, LookupError, StopIteration):
        return ()


def _half_changed_levels(levels: tuple[LevelWords, ...], before: tuple[LevelWords, ...]) -> dict[str, DraftPart]:
    """By the keys of levels, where they changed: only in their sentence (rubric), or only in their conditions."""
    old_levels = {level.key: level for level in before}
    half_changed: dict[str, DraftPart] = {}
    for level in levels:
        old = old_levels.get(level.key, level)
        has_new_sentence = old.sentence != level.sentence
        if has_new_sentence != (sorted(old.conditions) != sorted(level.conditions)):
            half_changed[level.key] = DraftPart.RUBRIC if has_new_sentence else DraftPart.EVIDENCE
    return half_changed


def _half_change_issues(
    draft: LabDraft, levels: tuple[LevelWords, ...], half_changed: dict[str, DraftPart]
) -> Iterator[Issue]:
    """Yield a note for each level whose sentence changed without its conditions, or the reverse.

    The forge judges by the conditions alone, and a model by the sentence, so the two may now disagree.
    """
    rubric, rules = draft.file(DraftPart.RUBRIC), draft.file(DraftPart.EVIDENCE)
    for level in levels:
        name = f"level {format_number(float(level.level.score))} of {level.criterion_id}"
        half = half_changed.get(level.key)
        if half is DraftPart.RUBRIC:
            message = (
                f"the sentence of {name} changed and its conditions ({rules.name}:{level.rule_line}) didn't: "
                f"the forge judges by {rules.name}; only a model reads this sentence"
            )
            yield Issue(rubric, level.sentence_line, message, is_problem=False)
        elif half is DraftPart.EVIDENCE:
            message = (
                f"the conditions of {name} changed and its sentence ({rubric.name}:{level.sentence_line}) didn't: "
                "a model still judges by the sentence; does it say what is asked now?"
            )
            yield Issue(rules, level.rule_line, message, is_problem=False)
