"""``--format``: what pipelines read of a judging has every reason with file and line, seen from where it runs."""

import json
import re
import shutil
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest

from evalforge.model.evidence import Finding
from evalforge.model.result import Judgement, Opinion
from evalforge.model.scoring import score
from evalforge.reports.pipelines.formats import PIPELINE_FORMATS
from evalforge.reports.pipelines.judged_folder import JudgedFolder
from tests import factories
from tests.command_line import run_in
from tests.judged import EXEMPLARS, make_class

HOSTILE = "50 %: a, b\r\n::error::forged <b>|`x`\x1b[2J\x00]]>"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder from which a solution in ``work`` is judged."""
    ignored = shutil.ignore_patterns("gold.yaml")
    shutil.copytree(EXEMPLARS / "right-but-badly-built", tmp_path / "work", ignore=ignored)
    return tmp_path


def printed(folder: Path, form: str, *more: object) -> str:
    ended = run_in(folder, "judge", "training-dummy", "work", "--no-save", "--format", form, *more)
    assert ended.returncode in (0, 1), ended.stderr
    return ended.stdout


@pytest.mark.usefixtures("warm_engine")
def test_sarif_leads_to_lines_that_are_there(checkout: Path) -> None:
    [run] = json.loads(printed(checkout, "sarif"))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]
    lines = 0
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        [location] = result["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
        file = checkout / unquote(place["artifactLocation"]["uri"])
        assert file.is_file()
        if "region" in place:
            lines += 1
            assert 1 <= place["region"]["startLine"] <= len(file.read_text().splitlines())
    assert lines > 0


@pytest.mark.usefixtures("warm_engine")
def test_annotations_and_summary_name_file_and_line(checkout: Path) -> None:
    annotated = printed(checkout, "github")
    assert re.search(r"^::(?:warning|error) file=work/dummy\.py,line=\d+,title=[^:]+::.", annotated, re.MULTILINE)
    assert annotated.splitlines()[-1].startswith(("::notice title=Training Dummy::", "::error title=Training Dummy::"))
    assert re.search(r"^  - `work/dummy\.py:\d+` .", printed(checkout, "markdown"), re.MULTILINE)


@pytest.mark.usefixtures("warm_engine")
def test_json_is_what_the_option_prints(checkout: Path) -> None:
    assert (
        printed(checkout, "json") == run_in(checkout, "judge", "training-dummy", "work", "--no-save", "--json").stdout
    )


@pytest.mark.usefixtures("warm_engine")
def test_a_class_is_one_document(tmp_path: Path) -> None:
    make_class(tmp_path / "class", 2)
    (tmp_path / "class" / "empty").mkdir()
    options = ("batch", "training-dummy", "class", "--format")
    suites = ET.fromstring(run_in(tmp_path, *options, "junit").stdout).findall("testsuite")
    assert [(suite.get("name"), suite.get("errors")) for suite in suites] == [
        ("empty", "1"),
        ("s00", "0"),
        ("s01", "0"),
    ]
    [run] = json.loads(run_in(tmp_path, *options, "sarif").stdout)["runs"]
    assert {path.split("/")[1] for result in run["results"] for path in uris(result)} == {"s00", "s01"}
    assert [note["level"] for note in run["invocations"][0]["toolExecutionNotifications"]] == ["error"]
    assert len(json.loads(run_in(tmp_path, *options, "json").stdout)["rows"]) == 3
    assert run_in(tmp_path, *options, "markdown").stdout.count("\n## Training Dummy") == 2


def uris(result: dict[str, list[dict[str, dict[str, dict[str, str]]]]]) -> list[str]:
    return [place["physicalLocation"]["artifactLocation"]["uri"] for place in result["locations"]]


@pytest.mark.usefixtures("warm_engine")
def test_what_could_not_be_judged_is_an_error(checkout: Path) -> None:
    options = ("judge", "training-dummy", "work", "--no-save", "--python", "/bin/true", "--format")
    ended = run_in(checkout, *options, "github")
    assert (ended.returncode, ended.stdout.startswith("::error title=Training Dummy::work: ungraded.")) == (3, True)
    [suite] = ET.fromstring(run_in(checkout, *options, "junit").stdout)
    assert (suite.get("errors"), suite.get("failures")) == ("1", "0")


def test_one_form_is_asked_for(checkout: Path) -> None:
    ended = run_in(checkout, "judge", "training-dummy", "work", "--json", "--format", "sarif")
    assert (ended.returncode, "not allowed with" in ended.stderr) == (2, True)


@pytest.mark.parametrize("form", PIPELINE_FORMATS)
def test_hostile_words_stay_words(form: str, tmp_path: Path) -> None:
    rubric = factories.rubric(2)
    judgement = Judgement(
        criterion_id="c0", score=1, comment=HOSTILE, findings=(Finding(message=HOSTILE, path="a,b:\n.py", line=3),)
    )
    opinion = Opinion(judgements=(judgement,), summary=HOSTILE, improvements=(HOSTILE, HOSTILE))
    result = score("b", rubric, opinion)
    document = PIPELINE_FORMATS[form]([JudgedFolder(HOSTILE, tmp_path, HOSTILE, rubric, "", result, (judgement,))])
    assert "\x1b" not in document
    assert "\x00" not in document
    if form == "junit":
        ET.fromstring(document)
    elif form == "sarif":
        json.loads(document)
    elif form == "github":
        assert len(document.splitlines()) == 3
        assert document.splitlines()[1].count("::") == 4  # two of the command, two of the words
    else:
        assert "<b>" not in re.sub(r"\\<", "", document)
