"""What a class's tests miss: the most missed first; wrong expectations by hand-in, in every form with room for it."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from evalforge.classroom.class_impostors import ClassImpostors, class_impostors
from evalforge.classroom.class_row import ClassRow, RowOutcome
from evalforge.classroom.export.html_page import class_page
from evalforge.classroom.export.tables import class_csv
from evalforge.classroom.judging_fingerprint import judging_fingerprint
from evalforge.classroom.report import ClassReport
from evalforge.cli.text.class_report import print_report
from evalforge.model.evidence import Evidence, ImpostorFate
from evalforge.model.impostor_tally import ImpostorTally, tally_impostors
from evalforge.packs.pack import load_pack
from tests import factories
from tests.classroom.test_exports import CLASS
from tests.command_line import run
from tests.judged import FLAWLESS, WEAK

HOSTILE_RIDDLE = "<script>alert(1)</script>"
KNOWN = "no-full-stop"
"""An impostor that the Training Dummy has; the others here are nobody's."""


def tally(missed: str, wrong: int = 0) -> ImpostorTally:
    """Tests that let some of the impostors a, b, c and the known one through."""
    impostors = [
        factories.impostor(name, ImpostorFate.LET_THROUGH if letter in missed else ImpostorFate.UNMASKED)
        for letter, name in (("a", "a"), ("b", "b"), ("c", HOSTILE_RIDDLE), ("k", KNOWN))
    ]
    found = tally_impostors(factories.met(*impostors, wrong=tuple(("test_it.py", n) for n in range(1, wrong + 1))))
    assert found
    return found


def report(bosses: Path) -> ClassReport:
    rows = tuple(ClassRow(row_id=name, name=name.title(), outcome=RowOutcome.JUDGED) for name in ("ann", "bob", "cy"))
    tallies = {"ann": tally("ack"), "bob": tally("ak", wrong=2), "cy": tally("k")}
    found = class_impostors(tallies, bosses / "training-dummy")
    return CLASS.model_copy(
        update={"rows": rows, "impostors": found, "clusters": (), "singletons": (), "lookalikes": ()}
    )


def test_the_most_missed_come_first_by_the_boss_s_words(bosses: Path) -> None:
    found = report(bosses).impostors
    assert [(one.id, one.missed, one.suites) for one in found.missed] == [
        (KNOWN, 3, 3),
        ("a", 2, 3),
        (HOSTILE_RIDDLE, 1, 3),
    ]
    assert [one.fault for one in found.missed][:2] == [
        "The full stop at the end of the line is missing.",
        "The riddle of a.",
    ]


def test_a_suite_that_could_not_be_measured_misses_nothing(bosses: Path) -> None:
    evidence = factories.met(factories.impostor("a", ImpostorFate.LET_THROUGH))
    facts = tuple(factories.fact("tests.unmasked", None) if f.name == "tests.unmasked" else f for f in evidence.facts)
    unmeasured = tally_impostors(Evidence(facts=facts, impostors=evidence.impostors))
    assert unmeasured
    found = class_impostors({"ann": unmeasured}, bosses / "training-dummy")
    assert found.missed == ()
    assert found.by_row["ann"].unmasked is None


def test_the_text_says_how_many_suites_miss_what(bosses: Path, capsys: pytest.CaptureFixture[str]) -> None:
    print_report(report(bosses))
    text = capsys.readouterr().out
    assert "3 of 3 suites miss: The full stop at the end of the line is missing.  Bad input" in text
    assert "Bob: `test_1` fails on a program that keeps the contract.  test_it.py:1" in text


def test_the_table_counts_for_each_row(bosses: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(class_csv(report(bosses)), newline="")))
    names = ("row", "impostors_unmasked", "impostors_met", "wrong_expectations")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("ann", "1", "4", "0"),
        ("bob", "2", "4", "2"),
        ("cy", "3", "4", "0"),
    ]


def test_the_page_names_them_and_acts_on_no_words_of_others(bosses: Path) -> None:
    page = class_page(report(bosses))
    assert "What the tests miss" in page
    assert "<td>The full stop at the end of the line is missing.</td>" in page
    assert "What tests expect wrongly" in page
    assert page.count("<script>") == 1, "only our own"


def test_a_class_without_impostors_says_nothing_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    bare = CLASS.model_copy(update={"impostors": ClassImpostors()})
    print_report(bare)
    assert "tests miss" not in capsys.readouterr().out + class_page(bare)


def test_another_impostor_is_a_reason_to_judge_again(bosses: Path, tmp_path: Path) -> None:
    path = shutil.copytree(bosses / "training-dummy", tmp_path / "training-dummy")
    before = judging_fingerprint(load_pack(path))
    file = path / "impostors/impostors.yaml"
    file.write_text(file.read_text() + "# looked at again\n")
    assert judging_fingerprint(load_pack(path)).trials != before.trials


@pytest.mark.usefixtures("warm_engine")
def test_a_class_is_asked_what_its_tests_miss(tmp_path: Path, own_home: Path) -> None:
    for name in ("ann", "bob"):
        shutil.copytree(WEAK, tmp_path / "class" / name)
        suite = (FLAWLESS / "tests/test_dummy.py").read_text().replace(".parent.parent", ".parent")
        (tmp_path / "class" / name / "test_dummy.py").write_text(suite.partition("\n\n\n@pytest")[0] + f"\n# {name}\n")
    target = own_home / "class.json"
    ended = run("batch", "training-dummy", tmp_path / "class", "--workers", 1, "--json", target)
    assert "2 of 2 suites miss: " in ended.stdout
    impostors = json.loads(target.read_text())["impostors"]
    assert [suite["row_id"] for suite in impostors["suites"]] == ["ann", "bob"]
    assert impostors["missed"][0]["missed"] == 2
