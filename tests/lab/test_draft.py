"""A draft is a pack of its own, and no text of the instructor's is ever lost."""

import subprocess
import sys
from pathlib import Path

import pytest

from evalforge.lab.draft import DraftPart, LabDraft
from evalforge.lab.draft_check import check_draft
from evalforge.model.errors import UsageError
from evalforge.packs.lint.lint import lint
from evalforge.packs.pack import load_pack
from tests.conftest import REPOSITORY
from tests.lab.conftest import EVIDENCE, RUBRIC

LOWER = RUBRIC.replace("pass_threshold: 3", "pass_threshold: 2")


def test_a_new_draft_is_the_pack(packs: Path, state: Path) -> None:
    with LabDraft(state, load_pack(packs)) as draft:
        assert draft.text(DraftPart.RUBRIC) == RUBRIC
        assert not draft.is_changed
        assert load_pack(draft.path).rubric_hash == draft.pack.rubric_hash


def test_a_text_is_on_the_disk_as_soon_as_it_is_written(packs: Path, state: Path) -> None:
    with LabDraft(state, load_pack(packs)) as draft:
        draft.write(DraftPart.RUBRIC, LOWER)
        assert draft.file(DraftPart.RUBRIC).read_text("utf-8") == LOWER
    assert (packs / "rubric.yaml").read_text("utf-8") == RUBRIC, "the pack itself is left alone"


def test_a_draft_survives_a_lab_that_is_killed(packs: Path, state: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from evalforge.lab.draft import *; "
        "from evalforge.packs.pack import load_pack; "
        "draft = LabDraft(Path(sys.argv[1]), load_pack(Path(sys.argv[2]))); "
        "draft.write(DraftPart.EVIDENCE, 'half a thou'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(state), str(packs)], cwd=REPOSITORY, check=False, timeout=60)
    with LabDraft(state, load_pack(packs)) as draft:
        assert draft.text(DraftPart.EVIDENCE) == "half a thou"
        assert draft.is_changed


def test_two_labs_never_write_one_draft(packs: Path, state: Path) -> None:
    with LabDraft(state, load_pack(packs)), pytest.raises(UsageError, match="open in another lab"):
        LabDraft(state, load_pack(packs))


def test_an_untouched_draft_follows_the_pack(packs: Path, state: Path) -> None:
    with LabDraft(state, load_pack(packs)):
        pass
    (packs / "rubric.yaml").write_text(LOWER, "utf-8")
    with LabDraft(state, load_pack(packs)) as draft:
        assert draft.text(DraftPart.RUBRIC) == LOWER
        draft.write(DraftPart.RUBRIC, LOWER + "# mine\n")
    (packs / "rubric.yaml").write_text(RUBRIC, "utf-8")
    with LabDraft(state, load_pack(packs)) as draft:
        assert draft.text(DraftPart.RUBRIC).endswith("# mine\n")
        assert draft.is_outdated


def test_what_another_editor_wrote_is_backed_up_first(packs: Path, state: Path) -> None:
    with LabDraft(state, load_pack(packs)) as draft:
        draft.file(DraftPart.RUBRIC).write_text("theirs\n", "utf-8")
        assert draft.is_changed_outside(DraftPart.RUBRIC)
        draft.write(DraftPart.RUBRIC, "mine\n")
        assert draft.text(DraftPart.RUBRIC) == "mine\n"
    kept = list((state / "lab").rglob("kept/*/rubric.yaml"))
    assert [path.read_text("utf-8") for path in kept] == ["theirs\n"]


def test_a_thrown_away_draft_begins_anew_and_is_kept_aside(packs: Path, state: Path) -> None:
    with LabDraft(state, load_pack(packs)) as draft:
        assert draft.reset() is None, "there was nothing to throw away"
        draft.write(DraftPart.RUBRIC, LOWER)
        kept = draft.reset()
        assert kept is not None
        assert (kept / "rubric.yaml").read_text("utf-8") == LOWER
        assert draft.text(DraftPart.RUBRIC) == RUBRIC


def test_a_draft_that_cannot_be_written_says_so(packs: Path, state: Path) -> None:
    state.write_text("a file, not a folder", "utf-8")
    with pytest.raises(UsageError, match="can't be written"):
        LabDraft(state, load_pack(packs))


@pytest.mark.parametrize("boss", ["training-dummy", "furnace-controller"])
def test_a_draft_of_a_shipped_pack_lints_as_the_pack_does(bosses: Path, state: Path, boss: str) -> None:
    with LabDraft(state, load_pack(bosses / boss)) as draft:
        told = [(remark.line, remark.message) for remark in lint(draft.path)]
    assert told == [(remark.line, remark.message) for remark in lint(bosses / boss)]


@pytest.mark.parametrize(
    ("part", "text", "line", "words"),
    [
        (
            DraftPart.RUBRIC,
            RUBRIC.replace("pass_threshold: 3", "pass_threshold: 9"),
            3,
            "above the highest possible total",
        ),
        (DraftPart.RUBRIC, RUBRIC.replace("label: partly", "label: [partly"), 9, "not valid YAML"),
        (DraftPart.RUBRIC, RUBRIC.replace("id: shape", "id: works"), 11, "used more than once"),
        (DraftPart.EVIDENCE, EVIDENCE.replace("trials.edges", "trials.edge.s"), 8, "a fact is one name after trials."),
        (DraftPart.EVIDENCE, EVIDENCE.replace('">= 0.8"', '"=> 0.8"'), 8, "a check is one of"),
        (DraftPart.EVIDENCE, EVIDENCE.replace("shape:", "shade:"), 9, "the rubric has no criterion 'shade'"),
        (DraftPart.EVIDENCE, EVIDENCE.replace("code.deciding_functions", "code.deciding_function"), 15, "did you mean"),
        (DraftPart.EVIDENCE, EVIDENCE.replace("level: 1", "level: one", 1), 2, "level: this must be a number"),
        (DraftPart.EVIDENCE, "", 1, "this file is empty"),
        (DraftPart.RUBRIC, RUBRIC + "rubric_id: again\n", 17, "appears twice"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    packs: Path, state: Path, part: DraftPart, text: str, line: int, words: str
):
    with LabDraft(state, load_pack(packs)) as draft:
        draft.write(part, text)
        notes = [issue for issue in check_draft(draft).issues if issue.path == draft.file(part)]
    assert (line, True) in [(note.line, words in note.message) for note in notes], notes


def test_a_usable_draft_has_a_pack_even_with_issues(packs: Path, state: Path) -> None:
    with LabDraft(state, load_pack(packs)) as draft:
        draft.write(DraftPart.EVIDENCE, EVIDENCE.replace("trials.edges", "trials.nowhere"))
        checked = check_draft(draft)
        assert checked.pack is not None
        assert checked.line_of(DraftPart.RUBRIC, ("overall", "pass_threshold")) == 3
        draft.write(DraftPart.EVIDENCE, "works: [")
        assert check_draft(draft).pack is None


def test_one_wrong_line_is_told_once(packs: Path, state: Path):
    with LabDraft(state, load_pack(packs)) as draft:
        draft.write(DraftPart.EVIDENCE, EVIDENCE.replace('">= 0.8"', '"=> 0.8"'))
        issues = check_draft(draft).issues
        notes = [issue for issue in issues if issue.path == draft.file(DraftPart.EVIDENCE)]
    assert [note.message for note in notes if note.line and note.line < 9 and "level" not in note.message] == [
        "works.requires.check: a check is one of >= <= > < == != and a number, true or false; not '=> 0.8'"
    ]


@pytest.mark.parametrize(
    ("part", "old", "new", "words"),
    [
        (
            DraftPart.RUBRIC,
            "all of it runs",
            "nearly all runs",
            "(evidence.yaml:5) didn't: the forge judges by evidence",
        ),
        (DraftPart.EVIDENCE, '"== 1.0"', '">= 0.9"', "(rubric.yaml:10) didn't: a model still judges by the sentence"),
    ],
)
def test_a_sentence_or_its_conditions_alone_are_noted(
    packs: Path, state: Path, part: DraftPart, old: str, new: str, words: str
) -> None:
    with LabDraft(state, load_pack(packs)) as draft:
        draft.write(part, draft.text(part).replace(old, new))
        checked = check_draft(draft)
    (note,) = [issue for issue in checked.issues if words in issue.message]
    assert (note.path, note.is_problem) == (draft.file(part), False)
    assert checked.half_changed == {"works/2": part}


def test_line_breaks_of_a_sentence_are_no_change(packs: Path, state: Path) -> None:
    with LabDraft(state, load_pack(packs)) as draft:
        draft.write(
            DraftPart.RUBRIC, draft.text(DraftPart.RUBRIC).replace("all of it runs", "all of\n        it  runs")
        )
        assert check_draft(draft).half_changed == {}
