"""Every sentence and number that a student gets agrees with the grade, in every export of one class."""

import csv
import html
import io
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from evalforge.reports.reason_lines import visible
from tests.command_line import run
from tests.judged import EXEMPLARS

pytestmark = pytest.mark.usefixtures("warm_engine")
OVERRIDE_REASON = "Shown to me in person; `parser.error` is in the other branch."
LONG_COMMENT = f"Read this to its end: {'well done, ' * 60}and that is the end."
FOLDERS = ("feedback", "gradescope", "github", "prairielearn")
FILES = {"json": "t.json", "csv": "t.csv", "html": "t.html", "moodle": "m.csv", "canvas": "c.csv"}
MORE_FILES = {"blackboard": "b.csv", "brightspace": "d.csv", "junit": "j.xml"}


def export(home: Path, place: Path) -> None:
    options: list[object] = []
    for name, target in (*FILES.items(), *MORE_FILES.items()):
        options += [f"--{name}", home / target]
    for name in FOLDERS:
        options += [f"--{name}", home / name]
    (home / "scale.yaml").write_text("points: {0: 0, 7: 20}\nround_to: 0.5\n")
    ended = run("batch", "training-dummy", place, *options, "--grading", home / "scale.yaml", EVALFORGE_HOME=str(home))
    assert ended.returncode == 0, ended.stderr


def data(home: Path) -> dict[str, Any]:
    return json.loads((home / "t.json").read_text())


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class with a level raised, a level lowered in a cluster, comments, and hand-ins that are no use."""
    home = tmp_path_factory.mktemp("home")
    place = home / "class"
    ignored = shutil.ignore_patterns("gold.yaml", "test_*")
    for name, exemplar in (("ann", "weak"), ("bob", "weak"), ("cy", "first-win")):
        shutil.copytree(EXEMPLARS / exemplar, place / name, ignore=ignored)
    (place / "cy" / "dummy.py").write_text((EXEMPLARS / "first-win/dummy.py").read_text() + "# cy\n")
    (place / "dee").mkdir()
    (place / "eve.zip").write_bytes(b"no zip")
    export(home, place)
    rows = {row["row_id"]: row for row in data(home)["rows"]}
    own = {"EVALFORGE_HOME": str(home)}
    number = data(home)["run"]
    (cluster,) = [one for one in data(home)["clusters"] if "ann" in one["members"]]
    target = f"{number}:{cluster['cluster_id']}"
    for criterion, level in (("strikes_true", "3"), ("clean_form", "0")):
        assert run("override", target, criterion, level, "--reason", OVERRIDE_REASON, **own).returncode == 0
    assert run("comment", "--save", "long", LONG_COMMENT, **own).returncode == 0
    assert "long  Read this" in run("comment", "--list", **own).stdout
    assert "Written to 2 submissions" in run("comment", target, "--saved", "long", **own).stdout
    assert run("comment", rows["cy"]["attempt_id"], "Come and see me.", **own).returncode == 0
    assert run("comment", f"{number}:dee", "Nothing was in your folder.", **own).returncode == 0
    export(home, place)
    return home


def plain(text: str) -> str:
    """The words without markup: entities, tags, escapes, code marks and the joiners in addresses."""
    text = html.unescape(re.sub(r"<[^>]+>", " ", text))
    text = re.sub(r"\\([\\`*_\[\]<>|~$&\-+#=.)])", r"\1", text).replace("\u2060", "").replace("`", "")
    return " ".join(text.split())


class Words(HTMLParser):
    """The words of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.feed(text)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def texts(home: Path, row_id: str) -> dict[str, str]:
    """Everything that one student reads, by export."""

    def table(name: str, column: str, value: str, words: str) -> str:
        rows = csv.DictReader(io.StringIO((home / name).read_text(encoding="utf-8-sig"), newline=""))
        return next(row[words] for row in rows if row[column] == value)

    suite = next(one for one in ET.parse(home / "j.xml").getroot() if one[0].get("classname") == row_id)
    github = json.loads((home / f"github/{row_id}.json").read_text())
    prairielearn = json.loads((home / f"prairielearn/{row_id}/results.json").read_text())
    gradescope = json.loads((home / f"gradescope/{row_id}/results.json").read_text())
    return {
        "feedback": plain((home / f"feedback/{row_id}.md").read_text()),
        "gradescope": plain(" ".join([gradescope["output"], *(one["output"] for one in gradescope["tests"])])),
        "github": plain(" ".join(one["message"] for one in github["tests"])),
        "prairielearn": plain(
            " ".join(
                [
                    prairielearn["message"],
                    prairielearn.get("output", ""),
                    *(one["message"] for one in prairielearn.get("tests", [])),
                ]
            )
        ),
        "junit": plain(" ".join(suite.itertext())),
        "moodle": plain(table("m.csv", "Identifier", row_id, "Feedback comments")),
        "blackboard": plain(table("b.csv", "Username", row_id, "Feedback to Learner")),
    }


def reasons(home: Path, row: dict[str, Any]) -> list[str]:
    """Every sentence of the reasons for the levels that nobody set by hand, and the comments on those that were."""
    attempt = json.loads(run("attempt", row["attempt_id"], "--json", EVALFORGE_HOME=str(home)).stdout)
    result = (row["revised"] or {"result": row["judged"]})["result"]
    comment_of = {one["id"]: one["comment"] for one in result["criteria"]}
    sentences: list[str] = []
    for judgement in attempt["judgements"]:
        reason = judgement["reason"]
        if comment_of[judgement["criterion_id"]] != judgement["comment"]:
            sentences.append(comment_of[judgement["criterion_id"]])
            continue
        examples = [example[part] for example in reason["examples"] for part in ("trial", "called", "expected")]
        sentences += [reason["cause"], *reason["remarks"], reason["holds"], reason["advice"], *map(visible, examples)]
    assert len([sentence for sentence in sentences if sentence]) > len(comment_of)
    return sentences


ROWS = ("ann", "bob", "cy")


@pytest.mark.parametrize("row_id", ROWS)
def test_every_export_has_every_sentence_that_counts(home: Path, row_id: str) -> None:
    row = next(one for one in data(home)["rows"] if one["row_id"] == row_id)
    result = (row["revised"] or {"result": row["judged"]})["result"]
    words = texts(home, row_id)
    everywhere = [*(f"Your instructor: {one}" for one in row["comments"]), f"Grade: {row['grade']['points']:g} of 20."]
    as_a_whole = [result["summary"], *result["improvements"]]
    comments = [one["comment"] for one in result["criteria"]]
    for sentence in map(plain, everywhere):
        assert all(sentence in text for text in words.values()), sentence
    report = [*as_a_whole, *reasons(home, row)]
    for name, text in words.items():
        expected = {"github": comments, "moodle": as_a_whole, "blackboard": as_a_whole, "feedback": report}.get(name)
        below = [one["comment"] for one in result["criteria"] if one["score"] < one["max_score"]]
        for sentence in expected or [*as_a_whole, *(below if name == "junit" else comments)]:
            assert plain(sentence) in text, (name, sentence)
        assert "more characters" not in text, name
    page = plain(" ".join(Words((home / "t.html").read_text()).words))
    for sentence in (*everywhere, *as_a_whole, *comments):
        assert plain(sentence) in page, sentence


@pytest.mark.parametrize("row_id", ["ann", "bob"])
def test_nothing_that_was_overridden_is_said_to_a_student(home: Path, row_id: str) -> None:
    row = next(one for one in data(home)["rows"] if one["row_id"] == row_id)
    judged, result = row["judged"], row["revised"]["result"]
    overridden = {"strikes_true", "clean_form"}
    stale = [judged["summary"], *(one["comment"] for one in judged["criteria"] if one["id"] in overridden)]
    labels = {one["id"]: one["label"] for one in data(home)["criteria"]}
    stale += [one for one in judged["improvements"] if any(labels[name] in one for name in overridden)]
    assert len(stale) > 3
    assert plain(OVERRIDE_REASON) in plain(result["criteria"][0]["comment"])
    page = plain(" ".join(Words((home / "t.html").read_text()).words))
    for name, text in (*texts(home, row_id).items(), ("html", page)):
        for sentence in stale:
            assert plain(sentence) not in text, (name, sentence)
    assert "The next level asks" in " ".join(result["improvements"])
    assert "+3 Strikes true" not in " ".join(result["improvements"])


def test_every_number_is_that_of_the_data(home: Path) -> None:
    rows = {row["row_id"]: row for row in data(home)["rows"]}
    for row_id in ROWS:
        row = rows[row_id]
        result = (row["revised"] or {"result": row["judged"]})["result"]
        scores = [one["score"] for one in result["criteria"]]
        assert sum(scores) == result["score_total"]
        points = row["grade"]["points"]
        assert abs(points - result["score_total"] / 7 * 20) <= 0.25
        gradescope = json.loads((home / f"gradescope/{row_id}/results.json").read_text())
        assert (gradescope["score"], [one["score"] for one in gradescope["tests"]]) == (points, scores)
        github = json.loads((home / f"github/{row_id}.json").read_text())
        assert [one["score"] for one in github["tests"]] == scores
        prairielearn = json.loads((home / f"prairielearn/{row_id}/results.json").read_text())
        assert abs(prairielearn["score"] - points / 20) < 1e-5
        for name, column, words in (("m.csv", "Identifier", "Grade"), ("b.csv", "Username", "Training Dummy")):
            table = csv.DictReader(io.StringIO((home / name).read_text(), newline=""))
            assert float(next(one[words] for one in table if one[column] == row_id)) == points
        canvas = list(csv.reader(io.StringIO((home / "c.csv").read_text(), newline="")))
        assert canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Training Dummy"]
        assert (canvas[1][0].strip(), float(canvas[1][5])) == ("Points Possible", 20)
        assert float(next(one[5] for one in canvas if one[0] == row_id)) == points
        total = f"{result['score_total']} of 7"
        for name in ("feedback", "gradescope", "prairielearn", "junit"):
            assert total in texts(home, row_id)[name], name
    failures = [int(one.get("failures", "")) for one in ET.parse(home / "j.xml").getroot()]
    assert len(failures) == len(rows)


def test_without_a_score_there_is_a_reason_and_no_grade(home: Path) -> None:
    for row_id, reason in (("dee", "dee holds no file that can be judged."), ("eve", "is not a readable zip archive")):
        for name, text in texts(home, row_id).items():
            assert reason in text, (name, text)
            assert "Grade:" not in text
    assert "Your instructor: Nothing was in your folder." in texts(home, "dee")["feedback"]
    assert "score" not in json.loads((home / "gradescope/dee/results.json").read_text())
    assert json.loads((home / "prairielearn/dee/results.json").read_text())["gradable"] is False


def test_no_path_of_this_machine_reaches_a_student(home: Path) -> None:
    for name in FOLDERS:
        for path in (home / name).rglob("*"):
            if path.is_file():
                assert str(home) not in path.read_text(), path
    for target in (*MORE_FILES.values(), "m.csv", "c.csv"):
        assert str(home) not in (home / target).read_text(), target


def test_nothing_of_an_earlier_export_is_left(home: Path, tmp_path: Path) -> None:
    place = tmp_path / "class"
    for name in ("attempts.sqlite3", *FOLDERS):
        source = home / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    shutil.copytree(
        home / "class", place, ignore=lambda _, names: [name for name in names if name in ("bob", "eve.zip")]
    )
    (tmp_path / "feedback/notes.md").write_text("mine")
    (tmp_path / "feedback/eve.md").write_text("changed by hand")
    export(tmp_path, place)
    assert sorted(path.name for path in (tmp_path / "feedback").glob("*.md")) == [
        *("ann.md", "cy.md", "dee.md", "eve.md", "notes.md"),
    ]
    assert {path.name for path in (tmp_path / "gradescope").iterdir() if path.is_dir()} == {"ann", "cy", "dee"}


def test_a_comment_is_taken_back(home: Path, tmp_path: Path) -> None:
    shutil.copy(home / "attempts.sqlite3", tmp_path)
    own = {"EVALFORGE_HOME": str(tmp_path)}
    number = data(home)["run"]
    assert "1 comment taken back." in run("comment", f"{number}:dee", "--withdraw", **own).stdout
    assert "0 comments taken back." in run("comment", f"{number}:dee", "--withdraw", **own).stdout
    for arguments, words in (
        (("comment", f"{number}:c99", "x"), "has no cluster c99"),
        (("comment", "99999:c1", "x"), "no run '99999'"),
        (("comment", f"{number}:dee"), "needs an attempt and a text"),
        (("comment", f"{number}:dee", "--saved", "none"), "No comment is saved"),
    ):
        ended = run(*arguments, **own)
        assert (ended.returncode, words in ended.stderr) == (2, True), ended.stderr
