"""On a shared machine nobody else reads what the game writes: everything a round leaves behind, whatever the umask."""

import json
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalforge.lab.draft import DraftPart, LabDraft
from evalforge.lab.pack_versions import save_version
from evalforge.own_failure import ungraded_by
from evalforge.packs.locations import HISTORY
from evalforge.packs.pack import load_pack
from tests.command_line import Ended, run, run_in
from tests.conftest import REPOSITORY
from tests.evaluate.item_server import ItemServer
from tests.judged import EXEMPLARS

pytestmark = pytest.mark.usefixtures("warm_engine")

WRITES = ("junit=j.xml", "sarif=s.sarif", "github=g.txt", "markdown=m.md", "classroom=c.json", "badge=b.svg")
FILES = {
    **{name: f"class.{name}" for name in ("csv", "json", "html")},
    **{name: f"{name}.csv" for name in ("moodle", "canvas", "blackboard", "brightspace")},
    "moodle-feedback": "feedback.zip",
    "junit": "class.xml",
    "items": "items.jsonl",
}
FOLDERS = ("feedback", "student-pages", "gradescope", "github", "prairielearn")
PICTURES = ("card.svg", "card.png", "card.md", "card.json")
RECORDINGS = ("fight.svg", "fight.gif", "fight.cast")


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    """The usual umask, with which every new file is everybody's to read."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the folders ``state`` and ``out``, as a round with every command that writes leaves them."""
    monkeypatch.setenv("EVALFORGE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("EVALFORGE_TRIAL_KEY", raising=False)
    (tmp_path / "out").mkdir(0o700)
    for part in (fight, judge_class, evaluate_items, change_packs):
        part(tmp_path)
    ungraded_by(RuntimeError("which leaves a log"))
    return tmp_path


def done(ended: Ended) -> Ended:
    assert ended.returncode in (0, 1), ended.stderr
    return ended


def fight(place: Path) -> None:
    targets = [word for target in WRITES for word in ("--write", target)]
    done(run_in(place / "out", "judge", "training-dummy", EXEMPLARS / "weak", *targets))
    [attempt] = json.loads(run("attempts", "--json").stdout)
    for name in PICTURES:
        done(run("card", attempt["id"], "-o", place / "out" / name))
    for name in RECORDINGS:
        done(run("replay", attempt["id"], "-o", place / "out" / name))


def judge_class(place: Path) -> None:
    for number, name in enumerate(("weak", "flawless")):
        shutil.copytree(EXEMPLARS / name, place / "class" / f"A {name}_{number + 10}_assignsubmission_file")
    options = [word for name, file in FILES.items() for word in (f"--{name}", file)]
    options += [word for name in FOLDERS for word in (f"--{name}", name)]
    done(run_in(place / "out", "batch", "training-dummy", place / "class", *options))
    row = json.loads((place / "out" / FILES["json"]).read_text())["rows"][0]
    done(run("comment", row["attempt_id"], "Well tried.", "--save", "tried"))
    done(run("override", row["attempt_id"], "clean_form", "1", "--reason", "A late fix."))
    done(run_in(place / "out", "batch", "training-dummy", place / "class", *options))


def evaluate_items(place: Path) -> None:
    lines = (json.dumps({"item_id": f"i{number}", "text": f"text {number}"}) + "\n" for number in range(3))
    (place / "items.jsonl").write_text("".join(lines))
    (place / "tidy.yaml").write_text("items: items.jsonl\njudge:\n  rubric: Rate each text 1-5.\n")
    exports = ("--html", place / "out" / "evaluation.html", "--csv", place / "out" / "evaluation.csv")
    with ItemServer() as server:
        done(run("evaluate", place / "tidy.yaml", "--model", "m", "--base-url", server.url, *exports))


def change_packs(place: Path) -> None:
    out = place / "out"
    done(run("pack", "training-dummy", "--for", "students", "-o", out / "students.zip"))
    done(run("export-autograder", "training-dummy", "--gradescope", "-o", out / "autograder.zip"))
    done(run("--bosses", out / "students.zip", "bosses"))
    done(run("new-boss", "straw-golem", place / "packs"))
    done(run("add", place / "packs" / "straw-golem"))
    done(run("packs", "trust", "straw-golem"))
    with LabDraft(place / "state", load_pack(REPOSITORY / "bosses" / "training-dummy")) as draft:
        draft.write(DraftPart.RUBRIC, draft.text(DraftPart.RUBRIC) + "\n# changed\n")
        save_version(draft, place / "state")
        draft.write(DraftPart.RUBRIC, draft.text(DraftPart.RUBRIC) + "\n# changed again\n")
        draft.reset()


def open_to_others(folder: Path) -> list[str]:
    """All below a folder, and the folder, that somebody else has a permission for."""
    paths = [path for path in (folder, *folder.rglob("*")) if not path.is_symlink()]
    assert len(paths) > 1
    return [str(path.relative_to(folder)) for path in paths if stat.S_IMODE(path.stat().st_mode) & 0o077]


def test_a_whole_round_leaves_nothing_to_other_users(played: Path) -> None:
    assert open_to_others(played / "state") == []
    assert open_to_others(played / "out") == []
    written = {path.name for path in (played / "out").rglob("*")}
    expected = {target.partition("=")[2] for target in WRITES}
    assert expected | {*FILES.values(), *FOLDERS, *PICTURES, *RECORDINGS} <= written
    kept = {path.name for path in (played / "state").iterdir()}
    assert {HISTORY, "trial.key", "evaluations", "lab", "bosses", "added", "opened", "logs"} <= kept


def test_an_older_version_s_open_state_is_mended_once(tmp_path: Path) -> None:
    state, elsewhere = tmp_path / "state", tmp_path / "elsewhere.txt"
    done(run("judge", "training-dummy", EXEMPLARS / "weak", EVALFORGE_HOME=str(state)))
    elsewhere.write_text("Mine, and not the game's.")
    (state / "link.txt").symlink_to(elsewhere)
    for path in (state, *state.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    first, second = (run("attempts", EVALFORGE_HOME=str(state)) for _ in range(2))
    assert first.stderr == f"Other users of this machine could open {state}; that is closed now.\n"
    assert (second.stderr, second.stdout) == ("", first.stdout)
    assert open_to_others(state) == []
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644


def test_an_open_history_in_a_shared_folder_is_mended(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    run("attempts", EVALFORGE_HOME=str(shared))
    (shared / HISTORY).chmod(0o644)
    first, second = (run("attempts", EVALFORGE_HOME=str(shared)) for _ in range(2))
    assert first.stderr == f"Other users of this machine could open {shared / HISTORY}; that is closed now.\n"
    assert second.stderr == ""


def test_an_export_that_others_could_read_is_named(tmp_path: Path) -> None:
    shutil.copytree(EXEMPLARS / "weak", tmp_path / "class" / "ann")
    (tmp_path / "pages").mkdir()
    for name in ("class.csv", "pages/ann.html", "other.csv"):
        (tmp_path / name).touch(0o644)
    options = ("--csv", "class.csv", "--json", "class.json", "--student-pages", "pages")
    ended = done(run_in(tmp_path, "batch", "training-dummy", "class", *options))
    assert "Other users of this machine can read class.csv, pages, as they could before." in ended.stderr
    (tmp_path / "class.csv").chmod(0o600)
    (tmp_path / "pages" / "ann.html").chmod(0o600)
    assert "Other users" not in done(run_in(tmp_path, "batch", "training-dummy", "class", *options)).stderr


def test_the_usual_places_are_private_too(tmp_path: Path) -> None:
    places = {"HOME": str(tmp_path), "EVALFORGE_HOME": "", "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ""}
    done(run("judge", "training-dummy", EXEMPLARS / "weak", **places))
    [history] = tmp_path.rglob(HISTORY)
    assert open_to_others(history.parent) == []
