"""A class at the command line: judged, exported, corrected by hand."""

import csv
import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.command_line import run
from tests.judged import EXEMPLARS, make_class

pytestmark = pytest.mark.usefixtures("warm_engine")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of three with a roster, judged and exported in every way."""
    folder = tmp_path_factory.mktemp("home")
    make_class(folder / "class", 3)
    (folder / "class/s03").mkdir()
    (folder / "roster.csv").write_text("id,name,folder\n1,Ann Able,s00\n2,=Bob,s01\n3,Cy Core,s02\n4,Dee,s03\n5,Eve,\n")
    options: list[object] = ["--roster", folder / "roster.csv", "--workers", 2]
    for name, target in (("csv", "t.csv"), ("json", "t.json"), ("html", "t.html"), ("moodle", "m.csv")):
        options += [f"--{name}", folder / target]
    for name in ("feedback", "gradescope", "github"):
        options += [f"--{name}", folder / name]
    options += ["--items", folder / "items.jsonl"]
    ended = run("batch", "training-dummy", folder / "class", *options, EVALFORGE_HOME=str(folder))
    (folder / "stdout.txt").write_text(ended.stdout)
    (folder / "stderr.txt").write_text(ended.stderr)
    assert ended.returncode == 0, ended.stderr
    return folder


def test_everybody_has_a_line_and_progress_goes_elsewhere(home: Path) -> None:
    told, progress = (home / "stdout.txt").read_text(), (home / "stderr.txt").read_text()
    for words in ("Ann Able", "=Bob", "Cy Core", "unusable", "submitted nothing: Eve.", "5 rows: 3 judged"):
        assert words in told
    account = "4 entries: 4 submissions (4 folders), nothing left over."
    assert account in told
    assert progress.startswith(account)
    assert str(home) not in told.replace(f"  {home}/class", "", 1)
    assert "5/5 " in progress
    assert "\x1b" not in told + progress


def test_every_export_is_written_and_has_everybody(home: Path) -> None:
    with (home / "t.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["row"]: row for row in csv.DictReader(file)}
    assert list(rows) == ["5", "s00", "s01", "s02", "s03"]
    assert rows["s01"]["name"] == "'=Bob"
    assert [row["outcome"] for row in rows.values()] == ["absent", "judged", "judged", "judged", "unusable"]
    data = json.loads((home / "t.json").read_text())
    assert [row["row_id"] for row in data["rows"]] == list(rows)
    assert {path.stem for path in (home / "feedback").glob("[!.]*")} == set(rows)
    assert {path.parent.name for path in (home / "gradescope").glob("*/results.json")} == set(rows) - {"5"}
    assert {path.stem for path in (home / "github").glob("[!.]*")} == set(rows)
    assert (home / "t.html").read_text().startswith("<!doctype html>")
    assert len((home / "m.csv").read_text().splitlines()) == 6
    assert all(json.loads(line)["bucket"] for line in (home / "items.jsonl").read_text().splitlines())
    assert "## Criteria" in (home / "feedback/s00.md").read_text()


def test_an_override_is_shown_everywhere_beside_the_judgement(home: Path, tmp_path: Path) -> None:
    shutil.copy(home / "attempts.sqlite3", tmp_path)
    own = {"EVALFORGE_HOME": str(tmp_path)}
    with sqlite3.connect(tmp_path / "attempts.sqlite3") as db:
        (attempt_id, judged) = db.execute(
            "SELECT id, score_total FROM attempts WHERE directory LIKE '%/s00'"
        ).fetchone()
    wrong = run("override", attempt_id, "clean_form", "9", "--reason", "x", **own)
    assert (wrong.returncode, "9' is not a level of clean_form. Levels: 0 (" in wrong.stderr) == (2, True)
    assert run("override", attempt_id, "clean_form", "1", "--reason", " ", **own).returncode == 2
    nothing = run("override", attempt_id, "clean_form", "judged", "--reason", "x", **own)
    assert (nothing.returncode, "There is no override to remove" in nothing.stderr) == (2, True)
    assert "or halfway (0.5" in wrong.stderr
    assert "overrides" not in json.loads(run("attempt", attempt_id, "--json", **own).stdout)
    told = run("override", attempt_id, "strikes_true", "knows every name", "--reason", "A late fix.", **own)
    assert told.returncode == 0, told.stderr
    assert "A late fix." in told.stdout
    assert "A late fix." in run("attempt", attempt_id, **own).stdout
    whole = json.loads(run("attempt", attempt_id, "--json", **own).stdout)
    assert whole["result"]["score_total"] == judged
    assert whole["overrides"]["result"]["score_total"] > judged
    Draft202012Validator(json.loads(run("schema", "attempt").stdout)).validate(whole)
    assert run("attempt", attempt_id, "--verify", **own).returncode == 0
    table, feedback = tmp_path / "t.csv", tmp_path / "fb"
    again = run("batch", "training-dummy", home / "class", "--csv", table, "--feedback", feedback, **own)
    assert "run 2: 0 judged" in again.stderr
    with table.open(encoding="utf-8-sig", newline="") as file:
        row = next(row for row in csv.DictReader(file) if row["row"] == "s00")
    assert (row["strikes_true"], row["set_by_a_person"]) == ("3", "strikes_true 3: A late fix.")
    assert float(row["judged_score"]) == judged
    assert "A late fix." in (feedback / "s00.md").read_text()
    half = run("override", attempt_id, "strikes_true", "2.5", "--reason", "Half of it.", **own)
    assert (half.returncode, "→ 2.5. Half of it." in half.stdout) == (0, True)
    page, tables = tmp_path / "c.html", tmp_path / "c.json"
    run("batch", "training-dummy", home / "class", "--feedback", feedback, "--html", page, "--json", tables, **own)
    label = "between finds the rhythm and knows every name"
    assert label.casefold() in (feedback / "s00.md").read_text().casefold()
    assert label.casefold() in page.read_text().casefold()
    counts = {level["label"].casefold(): level["count"] for criterion in json.loads(tables.read_text())["criteria"]
              for level in criterion["levels"]}  # fmt: skip
    assert counts[label.casefold()] == 1
    back = run("override", attempt_id, "strikes_true", "judged", "--reason", "Not that late.", **own)
    assert "taken back" in back.stdout


def test_a_late_hand_in_makes_nobody_judged_twice(tmp_path: Path) -> None:
    own = {"EVALFORGE_HOME": str(tmp_path / "home")}
    make_class(tmp_path / "sources", 3)
    place = tmp_path / "class"
    place.mkdir()
    shutil.make_archive(str(place / "ann"), "zip", tmp_path / "sources/s00")
    shutil.copytree(tmp_path / "sources/s01", place / "bob")
    assert "run 1: 2 judged" in run("batch", "training-dummy", place, **own).stderr
    shutil.copytree(tmp_path / "sources/s02", place / "ann")
    shutil.copytree(tmp_path / "sources/s02", place / "Frey Fay_4711_assignsubmission_file_")
    ended = run("batch", "training-dummy", place, "--json", tmp_path / "t.json", **own)
    assert "run 2: 2 judged" in ended.stderr
    assert "4 entries: 4 submissions (3 folders, 1 zip), nothing left over." in ended.stderr
    rows = {row["row_id"]: row for row in json.loads((tmp_path / "t.json").read_text())["rows"]}
    assert {name: row["fresh"] for name, row in rows.items()} == {
        "ann": True,
        "ann (2)": False,
        "bob": False,
        "Frey Fay_4711": True,
    }
    assert all(row["earlier"] is None for row in rows.values())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["batch", "training-dummy", "/nowhere"], "does not exist"),
        (["batch", "training-dummy", EXEMPLARS, "--workers", "0"], "above 0"),
        (["batch", "training-dummy", EXEMPLARS, "--judge", "oracle"], "no judge called"),
        (
            ["batch", "training-dummy", EXEMPLARS, "--csv", "/tmp/m.csv", "--moodle", "/tmp/../tmp/m.csv"],
            "--csv and --moodle would both be written to",
        ),
        (
            ["batch", "training-dummy", EXEMPLARS, "--moodle-feedback", "/tmp/m.zip", "--csv", "/tmp/m.zip"],
            "--csv and --moodle-feedback would both be written to",
        ),
        (["batch", "training-dummy", EXEMPLARS, "--csv", "/nowhere/t.csv"], "the folder /nowhere does not exist"),
        (["batch", "training-dummy", EXEMPLARS, "--html", EXEMPLARS], "a file is needed"),
        (["batch", "training-dummy", EXEMPLARS, "--feedback", EXEMPLARS / "out"], "taken for a submission"),
        (["batch", "training-dummy", EXEMPLARS, "--roster", "/nowhere.csv"], "can't be read"),
        (["batch", "training-dummy", EXEMPLARS, "--engine", "dask"], "needs the address"),
        (["batch", "training-dummy", EXEMPLARS, "--scheduler", "tcp://x"], "--engine dask"),
        (["override", "zzzz", "c", "1", "--reason", "x"], "no attempt"),
    ],
)
def test_what_can_not_work_is_said_before_anything_is_judged(arguments: list[object], words: str) -> None:
    ended = run(*arguments)
    assert (ended.returncode, words in ended.stderr) == (2, True), ended.stderr
