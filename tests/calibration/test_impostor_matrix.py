"""Impostors are run against a boss's trials: what is noticed and what is charged twice."""

import json
import shutil
from pathlib import Path

import pytest
import yaml

from evalforge.calibration.impostor_matrix import ImpostorMatrix
from evalforge.cli.main import main
from evalforge.pack_check.check import matrix_issues
from evalforge.packs.lint.unchecked_pack import read_unchecked_pack

pytestmark = pytest.mark.usefixtures("warm_engine")

DUMMY = Path(__file__).parents[2] / "bosses" / "training-dummy"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The training boss with one right program and two wrong ones."""
    copy = tmp_path / "bosses" / "training-dummy"
    shutil.copytree(DUMMY, copy, ignore=shutil.ignore_patterns("__pycache__"))
    path = copy / "impostors" / "impostors.yaml"
    listed = yaml.safe_load(path.read_text("utf-8"))
    listed["right"] = [program for program in listed["right"] if program["name"] == "flawless"]
    listed["impostors"] = [each for each in listed["impostors"] if each["of"] == "flawless"][:1]
    listed["faults"] = [each for each in listed["faults"] if each["of"] == "flawless"][:1]
    path.write_text(yaml.safe_dump(listed), "utf-8")
    return copy


def keep(pack: Path, impostor: str, fault: str, owner: str = "") -> None:
    """Leave one impostor, which may get another owner, and one fault."""
    path = pack / "impostors" / "impostors.yaml"
    listed = yaml.safe_load((DUMMY / "impostors" / "impostors.yaml").read_text("utf-8"))
    listed["right"] = [program for program in listed["right"] if program["name"] == "flawless"]
    listed["impostors"] = [each for each in listed["impostors"] if each["id"] == impostor]
    listed["faults"] = [each for each in listed["faults"] if each["id"] == fault]
    if owner:
        listed["impostors"][0]["owner"] = owner
    path.write_text(yaml.safe_dump(listed), "utf-8")


def matrix(pack: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict]:
    status = main(["calibrate", "training-dummy", "--impostors", "--json", "--bosses", str(pack.parent)])
    return status, json.loads(capsys.readouterr().out)[0]


def test_an_impostor_is_noticed_by_its_owner(pack, capsys):
    status, found = matrix(pack, capsys)
    assert status == 0
    assert found["right"] == [{"name": "flawless", "trials": found["right"][0]["trials"], "failed": []}]
    impostor, fault = found["wrong"]
    assert impostor["noticed_by"] > 0
    assert impostor["given"] == impostor["expected"]
    assert fault["is_impostor"] is False


def spill(pack: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = main(["calibrate", "training-dummy", "--faults", "--bosses", str(pack.parent)])
    return status, capsys.readouterr().out


def test_each_fault_is_charged_once(pack, capsys):
    keep(pack, "no-full-stop", "no-guard-on-the-door")
    status, printed = spill(pack, capsys)
    assert status == 0, printed
    rows = [line.split() for line in printed.splitlines()[1:5]]
    assert rows == [
        ["faults", "1", "2", "3"],
        ["1", "strikes_true", "1", "1", "·", "·"],
        ["2", "stands_its_ground", "none", "·", "·", "·"],
        ["3", "clean_form", "1", "·", "·", "1"],
    ]
    assert "2 of 2 faults lower their own criterion; 0 (0 %) lower another, 0 by more than a level" in printed


def test_a_fault_of_another_criterion_is_spill(pack, capsys):
    keep(pack, "no-full-stop", "no-guard-on-the-door", owner="stands_its_ground")
    status, printed = spill(pack, capsys)
    assert status == 2
    assert "no-full-stop: stands_its_ground 2, expected 0, no trial catches it, also strikes_true 0" in printed
    assert "1 of 2 faults lower their own criterion; 1 (50 %) lower another, 1 by more than a level" in printed


def test_a_second_run_measures_nothing_again(pack, capsys, monkeypatch):
    first = matrix(pack, capsys)

    async def gather(*_arguments, **_options):
        raise AssertionError("a program was run again")
        yield

    monkeypatch.setattr("evalforge.evidence.engine.Engine.gather", gather)
    assert matrix(pack, capsys) == first


def test_a_changed_trial_is_run_again(pack, capsys):
    assert matrix(pack, capsys)[1]["right"][0]["failed"] == []
    trial = "import pytest\n\n@pytest.mark.group('more')\ndef test_no(cli):\n    'Never.'\n    pytest.fail('more')\n"
    (pack / "trials" / "test_more.py").write_text(trial, "utf-8")
    assert matrix(pack, capsys)[1]["right"][0]["failed"] == ["Never."]


def test_red_tests_are_counted_apart(pack, capsys):
    assert [wrong["turns_tests_red"] for wrong in matrix(pack, capsys)[1]["wrong"]] == [True, False]
    assert "1 of 2 make tests of a right program fail, which isn't counted" in spill(pack, capsys)[1]


def test_an_impostor_that_is_right_is_a_gap(pack, capsys):
    path = pack / "impostors" / "impostors.yaml"
    listed = yaml.safe_load(path.read_text("utf-8"))
    listed["impostors"][0]["change"][0]["new"] = listed["impostors"][0]["change"][0]["old"]
    path.write_text(yaml.safe_dump(listed), "utf-8")
    status, found = matrix(pack, capsys)
    assert status == 2
    assert found["wrong"][0]["noticed_by"] == 0


def test_a_pack_without_impostors_says_so(pack, capsys):
    shutil.rmtree(pack / "impostors")
    assert main(["calibrate", "training-dummy", "--impostors", "--bosses", str(pack.parent)]) == 2
    assert "has no impostors" in capsys.readouterr().err


def issues_of(pack: Path, capsys: pytest.CaptureFixture[str]) -> list[tuple[int | None, str]]:
    """Line and message of what a check of the pack says about its faults."""
    _, measured = matrix(pack, capsys)
    listed = read_unchecked_pack(pack).impostors
    assert listed is not None
    return [(issue.line, issue.message) for issue in matrix_issues(ImpostorMatrix.model_validate(measured), listed)]


def test_a_fault_of_another_criterion_is_located_in_the_list(pack, capsys):
    keep(pack, "no-full-stop", "no-guard-on-the-door", owner="stands_its_ground")
    lines = (pack / "impostors" / "impostors.yaml").read_text("utf-8").splitlines()
    ((line, message),) = issues_of(pack, capsys)
    assert message == "no-full-stop: no trial of stands_its_ground catches this impostor"
    assert line is not None
    assert lines.index("impostors:") + 2 == line


def test_faults_that_cost_once_are_no_issue(pack, capsys):
    keep(pack, "no-full-stop", "no-guard-on-the-door")
    assert issues_of(pack, capsys) == []
