"""A wrong folder is no attempt; the right one is found one folder down, or under another name."""

import json
import shutil
from pathlib import Path

import pytest

from tests.command_line import run
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.usefixtures("warm_engine", "own_home")

FLAWLESS = REPOSITORY / "bosses" / "training-dummy" / "exemplars" / "flawless"


def judge(folder: Path) -> dict[str, object]:
    return json.loads(run("judge", "training-dummy", folder, "--json").stdout)


@pytest.mark.parametrize("files", [{"d0/m0.py": "x = 1\n", "d0/m1.py": "y = 2\n"}, {"test_it.py": "def test(): ...\n"}])
def test_without_the_entry_file_nothing_is_judged_or_kept(tmp_path, files):
    for path, source in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(source)
    ended = run("judge", "training-dummy", tmp_path)
    assert ended.returncode == 2
    assert f"There is no dummy.py in {tmp_path}; found {', '.join(files)}. " in ended.stderr
    assert "Name your program dummy.py, or choose another folder." in ended.stderr
    assert json.loads(run("attempts", "--json").stdout) == []


def test_a_hand_in_one_folder_down_is_judged_there(tmp_path):
    shutil.copytree(FLAWLESS, tmp_path / "zip" / "solution")
    expected = judge(FLAWLESS)
    assert judge(tmp_path / "zip") == expected
    stored = json.loads(run("attempts", "--json").stdout)
    assert stored[0]["directory"] == str(tmp_path / "zip" / "solution")


@pytest.mark.parametrize("folder", ["src", "dummy"])
def test_a_folder_that_belongs_to_the_program_is_no_wrapping(tmp_path, folder):
    (tmp_path / folder).mkdir()
    shutil.copy(FLAWLESS / "dummy.py", tmp_path / folder / ("__main__.py" if folder == "dummy" else "dummy.py"))
    judge(tmp_path)
    assert json.loads(run("attempts", "--json").stdout)[0]["directory"] == str(tmp_path)


def test_the_only_file_is_taken_for_the_entry_and_it_is_said(tmp_path):
    shutil.copy(FLAWLESS / "dummy.py", tmp_path / "my_solution.py")
    result = judge(tmp_path)
    levels = {criterion["id"]: criterion["score"] for criterion in result["criteria"]}
    assert levels["strikes_true"] == 3
    assert "my_solution.py was used as dummy.py: rename it." in json.dumps(result)


def test_in_a_class_a_wrong_folder_is_unusable(tmp_path):
    shutil.copytree(FLAWLESS, tmp_path / "class" / "ash")
    (tmp_path / "class" / "birch").mkdir()
    (tmp_path / "class" / "birch" / "one.py").write_text("x = 1\n")
    (tmp_path / "class" / "birch" / "two.py").write_text("y = 1\n")
    run("batch", "training-dummy", tmp_path / "class", "--json", tmp_path / "report.json")
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    rows = {row["row_id"]: row for row in report["rows"]}
    assert rows["birch"]["outcome"] == "unusable"
    assert "There is no dummy.py" in rows["birch"]["reason"]
    assert rows["ash"]["outcome"] == "judged"


def test_a_comparison_of_judges_names_the_folder_that_was_read(tmp_path):
    shutil.copytree(FLAWLESS, tmp_path / "zip" / "solution")
    shown = run(
        "--i-trust-this-code", "lab", "training-dummy", "--compare", tmp_path / "zip", "--judges", "before,after"
    ).stdout
    assert str(tmp_path / "zip" / "solution") in shown.replace("\n", "")
