"""One row for everybody in every format, and nothing a stranger wrote acts in any of them."""

import base64
import csv
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.classroom.class_row import ClassRow, EarlierResult, RowOutcome
from evalforge.classroom.cluster_items import cluster_items, items_jsonl
from evalforge.classroom.export.forms import file_names
from evalforge.classroom.export.gradebooks import blackboard_csv, brightspace_csv, canvas_csv, moodle_csv
from evalforge.classroom.export.html_page import class_page
from evalforge.classroom.export.moodle_feedback import moodle_feedback_zip
from evalforge.classroom.export.platform_results import github_results, gradescope_results, prairielearn_results
from evalforge.classroom.export.plots import clusters_plot, groups_plot, levels_plot, score_plot
from evalforge.classroom.export.tables import class_csv
from evalforge.classroom.failure_clusters import Cluster, FailedTrial, UnmetCondition
from evalforge.classroom.hand_in import Person
from evalforge.classroom.lookalikes import LookalikePair, MatchedSpan
from evalforge.classroom.report import ClassReport, CriterionLevels, GroupFailures, LevelCount
from evalforge.history.overrides import Override, RevisedResult
from evalforge.model.errors import UsageError
from evalforge.model.result import BossEvalResult
from evalforge.model.scoring import score
from evalforge.packs.atomic_files import write_text
from evalforge.reports.spreadsheet import spreadsheet_cell
from tests import factories

EVIL = "<script>alert(1)</script>\"'&\x1b[2J=1+1|`$(x)"
WHEN = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def result(*scores: float) -> BossEvalResult:
    return score("straw", factories.rubric(2, 2, threshold=3), factories.opinion(*scores))


def row(row_id: str, judged: BossEvalResult | None = None, **more: object) -> ClassRow:
    outcome = RowOutcome.JUDGED if judged else more.pop("outcome", RowOutcome.UNUSABLE)
    return ClassRow.model_validate({"row_id": row_id, "outcome": outcome, "judged": judged, **more})


def report(*rows: ClassRow, words: str = "boundaries") -> ClassReport:
    levels = tuple(LevelCount(score=n, label=f"{words} {n}", count=n + 1) for n in range(3))
    trial = FailedTrial(id="t", group=words, title=words)
    unmet = UnmetCondition(key="k", criterion_id="c0", words=words)
    members = tuple(one.row_id for one in rows[:2])
    stretch = MatchedSpan(path=words, first=1, last=9, other_path="b.py", other_first=3, other_last=11, tokens=44)
    return ClassReport(
        label=words,
        run=1,
        boss_id="straw",
        boss_title=words,
        rubric_id="r",
        rubric_hash="0" * 16,
        judge=factories.FORGE,
        source="/class",
        made_at=WHEN,
        pass_threshold=3,
        score_max=4,
        outcomes={},
        rows=rows,
        criteria=tuple(CriterionLevels(id=f"c{n}", label=words, max_score=2, levels=levels) for n in range(2)),
        groups=(GroupFailures(group=words, trials=3, hand_ins=1, failed_share=0.5),),
        clusters=(Cluster(cluster_id="c1", title=words, members=members, trials=(trial,), conditions=(unmet,)),),
        singletons=(Cluster(cluster_id="s1", title=words, members=members[:1], trials=(), conditions=(unmet,)),),
        lookalikes=(LookalikePair(row_id=members[0], other_id=members[1], similarity=0.9, stretches=(stretch,)),),
    )


REVISED = RevisedResult(
    result=result(2, 1),
    overrides=(Override(criterion_id="c0", score=2, reason="Seen in class.", made_at=WHEN, carried_from="old"),),
)
EARLIER = EarlierResult(attempt_id="old", score_total=2, score_max=4, verdict="borderline", causes=("rubric", "trials"))
CLASS = report(
    row("ann", result(1, 1), name="Ann Able", number="4711", email="a@b", attempt_id="aa", revised=REVISED),
    row("bob", result(2, 2), attempt_id="bb", earlier=EARLIER),
    row("cy", reason="Nothing was submitted.", outcome=RowOutcome.ABSENT),
    row("dee", reason="No isolation.", outcome=RowOutcome.UNGRADED),
)
HOSTILE = report(
    row(EVIL, result(1, 1), name=EVIL, email=EVIL, source=EVIL, left_out=(EVIL,), attempt_id="aa"),
    row("=2+5", reason=EVIL, name="@SUM(A1)", student_id="+1", outcome=RowOutcome.UNUSABLE),
    words=EVIL,
)


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_table_has_a_row_with_score_or_reason_for_everybody() -> None:
    rows = table(class_csv(CLASS))
    assert [one["row"] for one in rows] == ["ann", "bob", "cy", "dee"]
    assert [one["score"] or one["reason"] for one in rows] == ["3", "4", "Nothing was submitted.", "No isolation."]
    assert [one["outcome"] for one in rows] == ["judged", "judged", "absent", "ungraded"]


def test_the_table_shows_overrides_and_who_moved_why() -> None:
    ann, bob = table(class_csv(CLASS))[:2]
    assert (ann["c0"], ann["c0 judged"], ann["judged_score"], ann["judged_verdict"]) == ("2", "1", "2", "borderline")
    assert ann["set_by_a_person"] == "c0 2: Seen in class."
    assert "check it" in ann["flags"]
    assert (bob["earlier_score"], bob["changed"], bob["earlier_attempt"]) == ("2", "rubric; trials", "old")


@given(st.text(max_size=40))
def test_no_cell_is_a_formula(words: str) -> None:
    told = spreadsheet_cell(words)
    assert isinstance(told, str)
    assert not told.lstrip().startswith(("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20"))
    assert "\n" not in told
    assert "\x1b" not in told


@given(st.lists(st.sampled_from(["=", "-1", "@", "a", " ", '"', ";", ",", "|", "\uff1d"]), max_size=9).map("".join))
def test_no_part_of_a_cell_is_a_formula_in_any_locale(words: str) -> None:
    for part in re.split("[;|]", spreadsheet_cell(words)):
        assert not part.lstrip(' "').startswith(("=", "+", "-", "@", "\uff1d")), part


def test_a_name_is_no_formula_in_a_table_read_with_semicolons() -> None:
    name = ";=HYPERLINK(1)"
    evil = report(row(name, result(1, 1), name=name, student_id=f"7{name}", email=f'"{name}'), row("bob"), words=name)
    for text in (class_csv(evil), moodle_csv(evil)):
        assert "HYPERLINK" in text
        for delimiter in ";\t|,":
            cells = [cell for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) for cell in line]
            assert not any(cell.lstrip(' "').startswith(("=", "+", "-", "@")) for cell in cells)
        assert all(line.startswith('"') and line.endswith('"') for line in text.splitlines())


def test_hostile_names_and_words_are_words_in_every_table() -> None:
    for text in (class_csv(HOSTILE), moodle_csv(HOSTILE)):
        for one in table(text):
            assert not any(value.startswith(("=", "+", "-", "@")) for value in one.values())
        assert "\x1b" not in text
    assert all("<" not in one["Feedback comments"].replace("<br>", "") for one in table(moodle_csv(HOSTILE)))


def test_moodle_gets_participants_and_no_grade_without_a_score() -> None:
    ann, _, cy, _ = table(moodle_csv(CLASS))
    assert (ann["Identifier"], ann["Full name"], ann["Email address"]) == ("Participant 4711", "Ann Able", "a@b")
    assert (ann["Grade"], ann["Maximum Grade"]) == ("3", "4")
    assert ann["Feedback comments"] == "One. Two.<br>Do this.<br>Do that."
    assert (cy["Grade"], cy["Feedback comments"]) == ("", "Nothing was submitted.")


def test_brightspace_gets_numbers_as_ids_and_names_as_logins() -> None:
    people = (Person("Ann Able", "00246"), Person("Bo Bay", "bbay"))
    together = row("pair", result(2, 1), members=people)
    rows = table(brightspace_csv(report(together, row("cy", reason="No isolation.", outcome=RowOutcome.UNGRADED))))
    columns = ("OrgDefinedId", "Username", "boundaries Points Grade", "End-of-Line Indicator")
    assert [tuple(one[name] for name in columns) for one in rows] == [
        ("#00246", "", "3", "#"),
        ("", "#bbay", "3", "#"),
        ("", "#cy", "", "#"),
    ]


def test_moodle_gets_a_page_under_the_name_it_gave() -> None:
    people = (Person("Ann_Able / Ph.D.", number="4711"), Person("Bo Bay", number="4712"), Person("No Number"))
    together = row("pair", result(2, 1), attempt_id="aa", platform="moodle", members=people)
    canvas = row("cy", result(1, 1), attempt_id="cc", platform="canvas", name="Cy", number="51000")
    absent = row("dee", reason="Nothing was submitted.", outcome=RowOutcome.ABSENT, name="Dee", number="4713")
    packed = moodle_feedback_zip(report(together, canvas, absent))
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    assert list(pages) == [
        "Ann Able Ph.D._4711_assignsubmission_file_/feedback.html",
        "Bo Bay_4712_assignsubmission_file_/feedback.html",
    ]
    assert all("<html" in page and "3 of 4" in page for page in pages.values())


def test_without_a_participant_moodle_gets_no_zip() -> None:
    with pytest.raises(UsageError, match="No participant's number is known"):
        moodle_feedback_zip(report(row("ann", result(1, 1), attempt_id="aa"), row("bob")))


def test_gradescope_gets_a_test_for_each_criterion() -> None:
    told = gradescope_results(CLASS.rows[0], CLASS)
    assert told["score"] == 3
    assert [(one["name"], one["score"], one["max_score"], one["status"]) for one in told["tests"]] == [
        ("boundaries", 2, 2, "passed"),
        ("boundaries", 1, 2, "failed"),
    ]
    assert told["extra_data"]["judged_score"] == 2
    assert sum(one["score"] for one in told["tests"]) == told["score"]
    ungraded = gradescope_results(CLASS.rows[3], CLASS)
    assert "score" not in ungraded
    assert (ungraded["tests"], ungraded["output"]) == ([], "No isolation.")


def test_github_classroom_gets_status_points_and_tests() -> None:
    told = github_results(CLASS.rows[1], CLASS)
    assert (told["version"], told["status"], told["max_score"]) == (1, "pass", 4)
    assert [(one["status"], one["score"]) for one in told["tests"]] == [("pass", 2), ("pass", 2)]
    failed = github_results(CLASS.rows[2], CLASS)
    assert (failed["status"], failed["tests"][0]["message"]) == ("error", "Nothing was submitted.")


def reported_points(results: list[dict[str, Any]]) -> tuple[float, float] | None:
    """What GitHub Classroom's reporter reports for a step's results: points and their maximum; None for nothing."""
    counted = [result for result in results if result["max_score"]]
    highest = sum(result["max_score"] for result in counted)
    return (sum(test["score"] for one in counted for test in one["tests"]), highest) if highest else None


def test_without_a_score_github_classroom_gets_no_points() -> None:
    for row in CLASS.rows:
        points = reported_points([github_results(row, CLASS)])
        assert (points is None) is (row.result is None), row.row_id
    reported = [reported_points([github_results(row, CLASS)]) for row in CLASS.rows]
    assert (reported[1], reported[2]) == ((4, 4), None)


@pytest.mark.parametrize(
    ("gradebook", "column"), [(moodle_csv, "Grade"), (canvas_csv, ""), (blackboard_csv, ""), (brightspace_csv, "")]
)
def test_without_a_score_no_gradebook_has_points(gradebook: Callable[[ClassReport], str], column: str) -> None:
    for one in CLASS.rows:
        last = table(gradebook(CLASS.model_copy(update={"rows": (one,)})))[-1]
        points = last[column or next(name for name in last if name.startswith(CLASS.boss_title))]
        assert bool(points) is (one.result is not None), one.row_id
        assert prairielearn_results(one, CLASS)["gradable"] is bool(points)


class Page(HTMLParser):
    """Collects what a browser would act upon."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.targets: list[str] = []
        self.anchors: set[str] = set()
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name in ("href", "src"):
                self.targets.append(value or "")
            if name == "id":
                self.anchors.add(value or "")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_needs_nothing_else_and_runs_nothing() -> None:
    for one in (CLASS, HOSTILE):
        page = Page(class_page(one))
        assert not page.tags & {"img", "link", "iframe", "object", "base", "form"}
        assert not [name for name in page.attributes if name.startswith("on")]
        (script,) = re.findall(r"<script>(.*?)</script>", class_page(one), re.DOTALL)
        allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"script-src 'sha256-{allowed}'" in class_page(one)
        assert {target[1:] for target in page.targets} <= page.anchors
        assert all(target.startswith("#row-") for target in page.targets)
    assert "\x1b" not in class_page(HOSTILE)
    assert "http" not in class_page(CLASS).replace("http-equiv", "")


def test_rows_whose_names_begin_alike_have_anchors_of_their_own() -> None:
    rows = [row(f"advanced-programming-2026-assignment-03-{name}", result(1, 1)) for name in ("alice", "bob")]
    anchors = {one for one in Page(class_page(report(*rows))).anchors if one.startswith("row-")}
    assert len(anchors) == 2


def test_the_page_has_everybody_moves_clusters_and_lookalikes() -> None:
    words = " ".join(Page(class_page(CLASS)).words)
    about = ("Ann Able", "bob", "Nothing was submitted.")
    for told in (*about, "Changes", "rubric, trials", "Pairs to look at", "90 %"):
        assert told in words
    assert "judged 2" in words
    assert "prefers-color-scheme: dark" in class_page(CLASS)


def test_the_page_of_a_class_in_which_nobody_was_judged_says_so() -> None:
    bare = CLASS.model_copy(
        update={"rows": CLASS.rows[2:], "clusters": (), "singletons": (), "lookalikes": (), "groups": ()}
    )
    assert "Nothing was judged" in class_page(bare)


def test_every_plot_is_sound_xml_whatever_is_written_in_it() -> None:
    for one in (CLASS, HOSTILE):
        sizes = [(cluster.title, len(cluster.members)) for cluster in one.clusters]
        plots = (
            *(score_plot(one), levels_plot(one.criteria), groups_plot(one.groups, 4)),
            *(clusters_plot(sizes), clusters_plot([]), levels_plot([])),
        )
        for drawn in plots:
            root = ET.fromstring(drawn)
            assert root.get("role") == "img"
            assert root.findtext("title")


def test_everybody_is_one_piece_of_the_plot() -> None:
    drawn = ET.fromstring(score_plot(CLASS))
    counts = [int(text.text or 0) for text in drawn.iter("text") if text.get("class") == "count"]
    assert sum(counts) == 2


def test_items_are_clusters_then_singletons_and_name_nobody() -> None:
    told = list(cluster_items(CLASS))
    assert [(one["item_id"], one["bucket"], one["cluster"]) for one in told] == [
        ("c1", "cluster", "c1"),
        ("s1", "singleton", None),
    ]
    assert told[0]["content"]["failing_trials"] == ["boundaries: boundaries"]
    assert [json.loads(line) for line in items_jsonl(CLASS).splitlines()] == told
    assert "Ann" not in items_jsonl(CLASS)


def test_long_names_in_any_script_are_files(tmp_path: Path) -> None:
    row_ids = ["\U00020000" * 80, "\U00020000" * 81, "a" + "\U00020000" * 80, "\u4e00" * 120, "x" * 120]
    for name in file_names(row_ids).values():
        write_text(tmp_path / f"{name}.json", "{}")
    assert len(list(tmp_path.iterdir())) == 5


@given(st.lists(st.text(max_size=120), unique=True, max_size=20))
def test_every_row_has_a_file_name_of_its_own_anywhere(row_ids: list[str]) -> None:
    names = file_names(row_ids)
    assert list(names) == row_ids
    assert len({name.casefold() for name in names.values()}) == len(row_ids)
    for name in names.values():
        assert 0 < len(name.encode()) < 130
        assert not name.startswith(".")
        assert not set(name) & set('/\\:*?"<>|\0\n ')
