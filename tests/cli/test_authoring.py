"""Making bosses on the command line: start one, lint it, fight it, calibrate the judge on it."""

import json
import shutil
from pathlib import Path

import pytest

from evalforge.packs.new_folders import create_pack
from evalforge.packs.skeleton import module_name
from tests.command_line import run, run_in

pytestmark = pytest.mark.usefixtures("warm_engine")


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A sound pack with four exemplars."""
    made = create_pack("toll-gate", tmp_path / "mine")
    for name in ("solid", "borderline", "beautiful-but-wrong", "cheat-table", "cheat-exec"):
        shutil.rmtree(made / "exemplars" / name)
    return made


@pytest.mark.usefixtures("checked_home")
def test_a_new_boss_lints_clean_and_can_be_fought_at_once(tmp_path: Path) -> None:
    bosses = tmp_path / "mine"
    made = run("new-boss", "toll-gate", bosses)
    assert made.returncode == 0
    assert "evalforge check" in made.stdout
    assert "docs/" not in made.stdout  # an installed game has none
    linted = run("lint", "toll-gate", "--bosses", bosses)
    assert (linted.returncode, linted.stdout) == (0, "1 boss, no problems\n"), linted.stdout
    fought = run("judge", "toll-gate", bosses / "toll-gate/exemplars/flawless", "--bosses", bosses, "--json")
    assert json.loads(fought.stdout)["verdict"] == "strong_pass"


@pytest.mark.usefixtures("checked_home")
def test_an_exemplar_that_passes_on_a_judge_s_word_is_a_problem(tmp_path: Path) -> None:
    whole = create_pack("toll-gate", tmp_path / "whole")
    gold = whole / "exemplars" / "right-but-badly-built" / "gold.yaml"
    lower = "levels: {counts_right: 1, refuses_words: 0, parts: 0, proof: 0}\nverdict: fail"
    lower += "\nalso: {counts_right: [2], refuses_words: [1]}"
    gold.write_text(lower + gold.read_text().partition("verdict: pass")[2])
    ended = run("check", whole)
    assert ended.returncode == 2, ended.stdout
    assert "a judge that says yes to everything makes a pass of this" in ended.stdout


def test_suggested_commands_find_the_boss(tmp_path: Path) -> None:
    made = run_in(tmp_path, "new-boss", "toll-gate", "mine boxes")
    assert f"evalforge check {'mine boxes/toll-gate'!r}" in made.stdout
    assert "evalforge --bosses 'mine boxes'" in made.stdout
    begun = run_in(tmp_path, "new", "toll-gate", "work", "--bosses", "mine boxes")
    assert begun.returncode == 0, begun.stderr
    assert begun.stdout.splitlines()[-1] == "Judge it with: evalforge judge work --bosses 'mine boxes'"
    found_anyway = run_in(tmp_path, "new", "toll-gate", "more", EVALFORGE_BOSSES=str(tmp_path / "mine boxes"))
    assert found_anyway.stdout.splitlines()[-1] == "Judge it with: evalforge judge more"


def test_new_boss_never_overwrites(tmp_path: Path) -> None:
    (tmp_path / "toll-gate").mkdir()
    (tmp_path / "toll-gate" / "mine.txt").write_text("mine")
    ended = run("new-boss", "toll-gate", tmp_path)
    assert (ended.returncode, "already holds something" in ended.stderr) == (2, True)
    assert [path.name for path in (tmp_path / "toll-gate").iterdir()] == ["mine.txt"]


def test_a_folder_named_like_the_boss_is_its_folder(tmp_path: Path) -> None:
    assert run("new-boss", "toll-gate", tmp_path / "toll-gate").returncode == 0
    assert (tmp_path / "toll-gate" / "boss.yaml").is_file()


@pytest.mark.parametrize("slug", ["Toll Gate", "../gate", "", "-gate", "a" * 81])
def test_a_boss_needs_a_name_that_can_be_a_folder(tmp_path: Path, slug: str) -> None:
    ended = run("new-boss", "--", slug, tmp_path)
    assert (ended.returncode, "can't be called" in ended.stderr) == (2, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("slug", "module"),
    [
        *(("toll-gate", "toll_gate"), ("json", "boss_json"), ("class", "boss_class"), ("2d", "boss_2d")),
        *(("test-x", "boss_test_x"), ("tests", "boss_tests"), ("x_test", "boss_x_test"), ("testing", "testing")),
    ],
)
def test_a_program_has_a_name_that_hides_nothing(slug: str, module: str) -> None:
    assert module_name(slug) == module


def test_lint_says_file_line_and_what_to_do_and_exits_with_2(pack: Path) -> None:
    gold = pack / "exemplars/flawless/gold.yaml"
    gold.write_text(gold.read_text("utf-8").replace("strong_pass", "fail"), "utf-8")
    rubric = pack / "rubric.yaml"
    rubric.write_text(rubric.read_text("utf-8").replace("weight: 0.4", "weight: 0.5"), "utf-8")
    ended = run("lint", pack)
    assert ended.returncode == 2
    lines = ended.stdout.splitlines()
    assert f"{gold.relative_to('/')}:4: the levels add up to 5, which is strong_pass, not fail" in lines
    assert f"{rubric.relative_to('/')}:14: the weights add up to 1.1, not to 1" in lines
    assert lines[-1] == "1 boss, 3 problems"


def test_lint_without_names_takes_every_boss(tmp_path: Path, pack: Path) -> None:
    (tmp_path / "mine" / "broken").mkdir()
    (tmp_path / "mine" / "broken" / "boss.yaml").write_text("boss_id: [\n")
    ended = run("lint", "--bosses", tmp_path / "mine")
    assert ended.returncode == 2
    assert "broken/boss.yaml:2: not valid YAML" in ended.stdout
    assert "5 bosses" in ended.stdout or "bosses, " in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["lint", "dragon"], "no boss called 'dragon'"),
        (["lint", "/"], "not a boss pack"),
        (["calibrate"], "Name one boss, or --all"),
        (["calibrate", "training-dummy", "--all"], "Name one boss, or --all"),
        (["calibrate", "training-dummy", "--repeat", "0"], "use at least 1"),
        (["calibrate", "training-dummy", "--judge", "oracle"], "no judge called 'oracle'"),
        (["calibrate", "dragon"], "no boss called 'dragon'"),
    ],
)
def test_wrong_usage_is_told(arguments: list[str], words: str) -> None:
    ended = run(*arguments)
    assert (ended.returncode, words in ended.stderr) == (2, True), ended.stderr


def test_calibrate_holds_the_judge_against_gold(pack: Path) -> None:
    arguments = ("calibrate", "toll-gate", "--bosses", pack.parent, "--repeat", "2", "--json")
    figures = json.loads(run(*arguments).stdout)
    assert figures["judge"]["name"] == "forge"
    (boss,) = figures["bosses"]
    assert (boss["overall"]["submissions"], boss["overall"]["judgements"]) == (4, 32)
    assert boss["overall"]["exact"]["value"] == 1.0
    assert boss["overall"]["alpha"]["value"] == 1.0
    assert [criterion["criterion_id"] for criterion in boss["criteria"]] == [
        *("counts_right", "refuses_words", "parts", "proof"),
    ]
    assert boss["criteria"][0]["confusion"] == [[2, 0, 0], [0, 2, 0], [0, 0, 4]]
    assert (figures["misses"], figures["not_judged"]) == ([], [])


def test_calibrate_says_where_the_judge_differs(pack: Path) -> None:
    gold = pack / "exemplars/right-but-badly-built/gold.yaml"
    gold.write_text(gold.read_text("utf-8").replace("parts: 0", "parts: 1"), "utf-8")
    ended = run("calibrate", "toll-gate", "--bosses", pack.parent)
    assert ended.returncode == 0
    for words in (
        "Callable parts",
        "exact 75 %",
        "quadratic weighted kappa",
        "repeats: Krippendorff's alpha      n/a",
        "toll-gate/right-but-badly-built parts  gold 1, judged 0",
    ):
        assert words in ended.stdout
    assert "\x1b" not in ended.stdout


def test_calibrate_takes_submissions_from_elsewhere(pack: Path, tmp_path: Path) -> None:
    shutil.copytree(pack / "exemplars/flawless", tmp_path / "else/one")
    arguments = ("calibrate", "toll-gate", "--bosses", pack.parent, "--json", "--submissions")
    assert json.loads(run(*arguments, tmp_path / "else").stdout)["pooled"]["submissions"] == 1
    shutil.move(tmp_path / "else/one", tmp_path / "toll-gate/one")
    assert json.loads(run(*arguments, tmp_path).stdout)["pooled"]["submissions"] == 1
    ended = run(*arguments, tmp_path / "nowhere")
    assert (ended.returncode, "does not exist" in ended.stderr) == (2, True)
    ended = run(*arguments, tmp_path / "toll-gate/one")
    assert (ended.returncode, "no submission with gold levels" in ended.stderr) == (2, True)


def test_incomplete_gold_is_told_before_anything_is_judged(pack: Path) -> None:
    gold = pack / "exemplars/broken/gold.yaml"
    gold.write_text(gold.read_text("utf-8").replace("parts: 0, ", ""), "utf-8")
    ended = run("calibrate", "toll-gate", "--bosses", pack.parent)
    assert (ended.returncode, "no gold level of parts" in ended.stderr) == (2, True)
