"""A folder that ``new`` made knows its boss: commands need no arguments there."""

import json
import shutil
from pathlib import Path

import pytest

from evalforge.submissions.collect import collect
from tests.command_line import run, run_in
from tests.judged import FIRST_WIN

pytestmark = pytest.mark.usefixtures("warm_engine")


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A folder that ``new`` made, with a solution that passes in it."""
    folder = tmp_path / "my dummy"
    assert run("new", "training-dummy", folder).returncode == 0
    shutil.copytree(FIRST_WIN, folder, dirs_exist_ok=True)
    return folder


def test_judge_needs_no_arguments_there(made: Path) -> None:
    ended = run_in(made, "judge", "--json")
    assert json.loads(ended.stdout)["boss_id"] == "training-dummy"


@pytest.mark.parametrize("name", ["my dummy", "./my dummy"])
def test_its_name_alone_is_enough(made: Path, name: str) -> None:
    assert run_in(made.parent, "judge", name, "--json", "--no-save").returncode == 0


def test_the_boss_alone_is_enough_there(made: Path) -> None:
    assert run_in(made, "judge", "training-dummy", "--no-save", "--json").returncode == 0
    other = run_in(made, "judge", "furnace-controller", "--no-save")
    assert (other.returncode, "furnace-controller DIR" in other.stderr) == (2, True)


def test_the_folder_made_last_is_offered_before_its_first_fight(made: Path, tmp_path: Path) -> None:
    ended = run_in(tmp_path, "judge", "training-dummy")
    assert ended.returncode == 2
    assert f"Name the folder, too: training-dummy '{made}'." in ended.stderr


def test_elsewhere_both_have_to_be_named(tmp_path: Path) -> None:
    for command in ("judge", "watch", "impostors"):
        ended = run_in(tmp_path, command)
        assert ended.returncode == 2
        assert "doesn't say which boss" in ended.stderr


def test_the_marker_is_no_part_of_a_submission(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path / "bare", ignore=shutil.ignore_patterns(".evalforge"))
    marked, bare = collect(made), collect(tmp_path / "bare")
    assert (marked.content_hash, marked.left_out) == (bare.content_hash, bare.left_out)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"# only a remark\n", b"x" * 100_000])
def test_a_marker_that_names_no_boss_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".evalforge").write_bytes(content)
    ended = run_in(tmp_path, "judge")
    assert ended.returncode == 2
    assert ended.stderr.startswith("evalforge: ")


def test_what_new_says_to_run_can_be_run(tmp_path: Path) -> None:
    said = run_in(tmp_path, "new", "training-dummy", "a b").stdout.splitlines()[-1]
    assert said == "Judge it with: evalforge judge 'a b'"
