"""Paths that can't be looked at: too long, or within a folder that nobody may read. Each is told, with status 2."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.command_line import Ended, run_in
from tests.conftest import REPOSITORY
from tests.privileges import bound_by_permissions

pytestmark = pytest.mark.usefixtures("warm_engine")

DUMMY = REPOSITORY / "bosses/training-dummy"
LONG = "n" * 300
Run = Callable[..., Ended]


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Path]:
    """A folder that nobody may read."""
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0)
    yield folder
    folder.chmod(0o700)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """One command, as somebody whom permissions bind; root isn't unless it lets go of that."""
    with bound_by_permissions():
        yield lambda *arguments, **environment: run_in(tmp_path, *arguments, **environment)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A sound pack of one's own."""
    made = Path(shutil.copytree(DUMMY, tmp_path / "mine/straw"))
    boss = made / "boss.yaml"
    boss.write_text(boss.read_text("utf-8").replace("boss_id: training-dummy", "boss_id: straw"), "utf-8")
    return made


@pytest.mark.parametrize("place", ["locked/in", f"here/{LONG}"], ids=["locked", "long"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["bosses", "--bosses", "PLACE"],
        ["codex", "PLACE"],
        ["judge", "PLACE", DUMMY / "starter"],
        ["judge", "training-dummy", "PLACE"],
        ["judge", "training-dummy", DUMMY / "starter", "--python", "PLACE"],
        ["batch", "training-dummy", "PLACE"],
        ["batch", "training-dummy", "here", "--csv", "PLACE/a.csv"],
        ["batch", "training-dummy", "here", "--roster", "PLACE"],
        ["watch", "training-dummy", "PLACE"],
        ["stage", "training-dummy", "--hand-in", "PLACE"],
        ["calibrate", "training-dummy", "--submissions", "PLACE"],
        ["lint", "PLACE"],
        ["lab", "PLACE"],
        ["lab", "training-dummy", "--compare", "PLACE"],
        ["evaluate", "PLACE"],
        ["evaluate", "compare", "PLACE", "PLACE"],
        ["new", "training-dummy", "PLACE"],
        ["new-boss", "straw", "PLACE"],
    ],
    ids=lambda words: "-".join(map(str, words)).replace(str(DUMMY), "") if isinstance(words, list) else words,
)
@pytest.mark.usefixtures("locked")
def test_an_unreadable_path_is_reported_with_its_reason(
    run: Run, arguments: list[object], place: str, tmp_path: Path
) -> None:
    (tmp_path / "here").mkdir()
    ended = run(*(str(word).replace("PLACE", place) for word in arguments))
    reason = "File name too long" if LONG in place else "Permission denied"
    assert (ended.returncode, reason in ended.stderr + ended.stdout) == (2, True), ended.stderr


@pytest.mark.parametrize("option", ["--feedback", "--github", "--gradescope"])
@pytest.mark.usefixtures("locked")
def test_a_folder_for_exports_that_can_not_be_made_is_told(run: Run, option: str, tmp_path: Path) -> None:
    shutil.copytree(DUMMY / "starter", tmp_path / "class/one")
    ended = run("batch", "training-dummy", "class", option, "locked/in")
    assert (ended.returncode, "Permission denied" in ended.stderr) == (2, True), ended.stderr


@pytest.mark.usefixtures("locked")
def test_a_card_that_can_not_be_written_is_told(run: Run) -> None:
    run("judge", "training-dummy", DUMMY / "exemplars/weak")
    (attempt,) = json.loads(run("attempts", "--json").stdout)
    for place in ("locked/in/c.svg", f"{LONG}.svg"):
        ended = run("card", attempt["id"], "-o", place)
        assert (ended.returncode, "can't be written" in ended.stderr) == (2, True), ended.stderr


def test_an_unreadable_folder_of_bosses_hides_no_others(run: Run, locked: Path) -> None:
    for place in (locked, locked / "in", LONG):
        environment = {"EVALFORGE_BOSSES": str(place)}
        told = run("bosses", **environment).stdout
        assert "broken" in told
        assert "training-dummy" in told
        assert run("codex", "training-dummy", **environment).returncode == 0
        assert run("new", "training-dummy", locked.parent / f"new-{len(str(place))}", **environment).returncode == 0
    ended = run("lint", EVALFORGE_BOSSES=str(locked))
    assert (ended.returncode, "can't be read (Permission denied)" in ended.stdout) == (2, True)
    assert "1 problem" in ended.stdout


@pytest.mark.parametrize("part", ["exemplars", "exemplars/weak", "starter", "trials"])
def test_lint_tells_what_of_a_pack_can_not_be_read(run: Run, pack: Path, part: str) -> None:
    (pack / part).chmod(0)
    ended = run("lint", "straw", "--bosses", "mine")
    (pack / part).chmod(0o700)
    (told,) = [line for line in ended.stdout.splitlines() if "Permission denied" in line]
    assert told.startswith(f"{Path('mine/straw', part)}: ")
    assert ended.returncode == 2


@pytest.mark.parametrize("part", ["", "one"])
def test_unreadable_submissions_are_reported_before_judging(run: Run, tmp_path: Path, part: str) -> None:
    place = tmp_path / "gold"
    shutil.copytree(DUMMY / "exemplars/weak", place / "one")
    (place / part).chmod(0)
    ended = run("calibrate", "training-dummy", "--submissions", "gold")
    (place / part).chmod(0o700)
    assert (ended.returncode, "Permission denied" in ended.stderr) == (2, True), ended.stderr


def test_an_evaluation_that_can_not_be_read_is_told(run: Run, locked: Path) -> None:
    ended = run("evaluate", "compare", locked, locked)
    assert (ended.returncode, "Permission denied" in ended.stderr) == (2, True), ended.stderr


def test_what_nobody_thought_of_is_told_by_file_and_reason(run: Run, pack: Path) -> None:
    trial = next(pack.glob("trials/test_*.py"))
    trial.chmod(0)
    ended = run("judge", "straw", pack / "starter", "--bosses", "mine")
    assert (ended.returncode, ended.stderr.splitlines()[-1]) == (2, f"evalforge: {trial}: Permission denied")
