"""The commands, as a user runs them: exit statuses, JSON on stdout alone, no traceback ever."""

import json
import re
import shlex
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from docs.builder.reference import subcommands
from evalforge.cli.formats import FORMATS
from evalforge.cli.help_pages import COMMANDS, GROUPS
from evalforge.cli.parser import command_line
from evalforge.cli.setting_names import CONFIG_KEYS
from tests.command_line import run
from tests.judged import FIRST_WIN, WEAK

pytestmark = pytest.mark.usefixtures("warm_engine")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["judge", "dragon", "."], 2, "There is no boss called 'dragon'. Bosses: "),
        (["judge", "training-dummy", "/nowhere"], 2, "/nowhere does not exist"),
        (["judge", "training-dummy"], 2, "required: DIR"),
        (["judge", "training-dummy", WEAK, "--judge", "oracle"], 2, "There is no judge called 'oracle'"),
        (["judge", "training-dummy", WEAK, "--python", "/nowhere/python"], 2, "/nowhere/python does not exist"),
        (["judge", "training-dummy", WEAK, "--python", "/bin/true"], 3, "does not start as a Python"),
        (["codex", "dragon"], 2, "no boss called"),
        (["attempt", "zzzz"], 2, "There is no attempt 'zzzz'"),
        (["attempts", "--limit", "0"], 2, "above 0"),
        (["schema", "dragon"], 2, "no schema called"),
        (["bosses", "--bosses", "/nowhere"], 2, "--bosses /nowhere does not exist"),
        (["--motion", "wild"], 2, "invalid choice"),
        (["nwe"], 2, "error: there is no command 'nwe'. Did you mean new?\n"),
        (["frobnicate"], 2, "error: there is no command 'frobnicate'. `evalforge --help` lists them.\n"),
        ([], 2, "The game needs a terminal"),
    ],
)
def test_wrong_usage_is_told_with_status(arguments: list[object], status: int, words: str) -> None:
    ended = run(*arguments)
    assert words in ended.stderr + ended.stdout
    assert ended.returncode == status


def test_judge_json_prints_one_result_and_nothing_else() -> None:
    ended = run("judge", "training-dummy", FIRST_WIN, "--json")
    result = json.loads(ended.stdout)
    assert list(result) == [
        *("boss_id", "rubric_id", "score_total", "score_max", "passed", "integrity", "verdict"),
        *("criteria", "summary", "improvements", "raw_notes"),
    ]
    assert [list(criterion) for criterion in result["criteria"]] == [["id", "score", "max_score", "comment"]] * 4
    assert (ended.returncode, result["passed"]) == (0, True)


def test_the_same_input_gives_the_same_bytes() -> None:
    first, second = (run("judge", "training-dummy", WEAK, "--json") for _ in range(2))
    assert first.stdout == second.stdout
    assert first.returncode == second.returncode == 1


def test_a_judging_becomes_an_attempt_that_can_be_read_again() -> None:
    run("judge", "training-dummy", WEAK, "--notes", "my first try")
    run("judge", "training-dummy", FIRST_WIN, "--no-save")
    (row,) = json.loads(run("attempts", "--json").stdout)
    assert (row["boss_id"], row["verdict"], row["number"]) == ("training-dummy", "fail", 1)
    whole = json.loads(run("attempt", row["id"], "--json").stdout)
    assert whole["submission"]["notes"] == "my first try"
    assert whole["result"]["verdict"] == "fail"
    text = run("attempt", row["id"][:5]).stdout
    assert "FAIL" in text
    assert "my first try" not in text
    assert row["id"] in run("attempts").stdout
    (boss,) = [boss for boss in json.loads(run("bosses", "--json").stdout) if boss["boss_id"] == "training-dummy"]
    assert boss["tries"] == 1


def test_plain_is_the_whole_fight_as_lines_without_colour() -> None:
    ended = run("judge", "training-dummy", FIRST_WIN, "--plain", FORCE_COLOR="1")
    assert "\x1b" not in ended.stdout
    for words in ("Training Dummy", "trials:", "✓", "PASS", "integrity", "The boss is down", "1. ", "Saved as attempt"):
        assert words in ended.stdout


def test_reading_a_boss() -> None:
    codex = run("codex", "furnace-controller", COLUMNS="200").stdout
    assert max(map(len, codex.splitlines())) <= 80
    assert "CONTRACT" in codex
    assert "STRATEGY" in codex
    rubric = run("rubric", "furnace-controller").stdout
    assert "pass at 6 of 8" in rubric
    assert rubric.count("weight") >= 4
    assert json.loads(run("rubric", "furnace-controller", "--json").stdout)["overall"]["pass_threshold"] == 6


def test_new_makes_a_starter_and_never_overwrites(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "dummy"
    assert run("new", "training-dummy", folder).returncode == 0
    (folder / "dummy.py").write_text("mine")
    again = run("new", "training-dummy", folder)
    assert again.returncode == 2
    assert "already holds something" in again.stderr
    assert (folder / "dummy.py").read_text() == "mine"
    assert not list(folder.rglob("__pycache__"))


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_schema_is_a_schema(name: str) -> None:
    schema = json.loads(run("schema", name).stdout)
    Draft202012Validator.check_schema(schema)
    assert name in run("schema").stdout


def test_a_result_meets_its_schema() -> None:
    result = json.loads(run("judge", "training-dummy", WEAK, "--json").stdout)
    Draft202012Validator(json.loads(run("schema", "boss-eval-result").stdout)).validate(result)


def test_a_full_result_is_the_whole_attempt() -> None:
    ended = run("judge", "training-dummy", WEAK, "--json", "--full")
    attempt = json.loads(ended.stdout)
    Draft202012Validator(json.loads(run("schema", "attempt").stdout)).validate(attempt)
    assert attempt == json.loads(run("attempt", attempt["id"], "--json").stdout)
    findings = [finding for fact in attempt["evidence"]["facts"] for finding in fact["findings"]]
    assert any(finding["path"] and finding["line"] for finding in findings)
    assert ended.returncode == 1


@pytest.mark.parametrize("options", [["--format", "junit", "--full"], ["--json", "--full", "--no-save"]])
def test_a_full_result_needs_text_or_json_and_history(options: list[str]) -> None:
    ended = run("judge", "training-dummy", WEAK, *options)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "--full" in ended.stderr


def test_help_names_every_setting_and_status() -> None:
    told = " ".join(run("--help").stdout.split())
    _, _, settings = told.partition("config.toml")
    assert sorted(CONFIG_KEYS) == sorted(CONFIG_KEYS & set(re.findall(r"\w+", settings)))
    assert "130 stopped with Ctrl+C" in told


def test_help_lists_each_command_in_one_of_four_groups() -> None:
    lines = run("--help").stdout.splitlines()
    assert list(GROUPS) == ["play", "teach", "make", "connect"]
    assert max(map(len, lines)) <= 80 + 8  # settings have longer names
    for title, commands in GROUPS.items():
        start = lines.index(f"{title}:") + 1
        assert [line.split()[0] for line in lines[start : start + len(commands)]] == list(commands)
        assert lines[start + len(commands)] == ""
        assert max(map(len, lines[start : start + len(commands)])) < 80


def test_every_command_s_help_ends_with_two_examples() -> None:
    parsers = subcommands(command_line())
    assert sorted(parsers) == sorted(COMMANDS)
    for name, parser in parsers.items():
        head, _, tail = parser.format_help().partition("\nexamples:\n")
        assert COMMANDS[name].description in " ".join(head.split())
        examples = [line.strip() for line in tail.splitlines()]
        assert len(examples) >= 2
        for example in examples:
            program, *words = shlex.split(example)
            assert (program, words[0]) == ("evalforge", name)
            command_line().parse_args(words)


def test_settings_come_from_flags_then_variables_then_the_file(own_home: Path, tmp_path: Path) -> None:
    (own_home / "config.toml").write_text('judge = "from-file"\n')
    assert "'from-file'" in run("judge", "training-dummy", WEAK).stderr
    assert "'from-variable'" in run("judge", "training-dummy", WEAK, EVALFORGE_JUDGE="from-variable").stderr
    chosen = run("judge", "training-dummy", WEAK, "--judge", "from-flag", EVALFORGE_JUDGE="from-variable")
    assert "'from-flag'" in chosen.stderr
    (own_home / "config.toml").write_text('python = "no/python"\n')
    for flag, given, source in (
        ([], {}, f"{own_home}/config.toml: python"),
        ([], {"EVALFORGE_PYTHON": "no/python"}, "EVALFORGE_PYTHON"),
        (["--python", "no/python"], {"EVALFORGE_PYTHON": "/other"}, "--python"),
    ):
        told = run("judge", "training-dummy", WEAK, *flag, **given).stderr
        assert told.startswith(f"evalforge: {source} no/python does not exist")
    (own_home / "config.toml").write_text("colour = 1\n")
    broken = run("bosses")
    assert (broken.returncode, "'colour' is not a setting" in broken.stderr) == (2, True)
    (own_home / "config.toml").write_text("judge = \n")
    assert "config.toml can't be read" in run("bosses").stderr


def test_a_folder_of_ones_own_bosses_is_found(tmp_path: Path) -> None:
    straw = tmp_path / "mine" / "straw"
    (straw / "trials").mkdir(parents=True)
    (straw / "boss.yaml").write_text("boss_id: straw\n")
    by_flag, by_variable = run("bosses", "--bosses", straw.parent), run("bosses", EVALFORGE_BOSSES=str(straw.parent))
    for ended in (by_flag, by_variable):
        assert "broken" in ended.stdout
        assert "boss.yaml:1: title: this key is missing" in ended.stdout.replace("\n", "")
        assert "furnace-controller" in ended.stdout


def test_hostile_text_is_shown_and_never_interpreted(tmp_path: Path) -> None:
    (tmp_path / "dummy.py").write_text("raise ValueError('\\x1b]0;pwned\\x07[bold]\\u202e')")
    for form in ([], ["--plain"], ["--json"]):
        ended = run("judge", "training-dummy", tmp_path, "--notes", "\x1b[2J[@click=x]", *form)
        assert not {"\x1b", "\x07", "\u202e"} & set(ended.stdout + ended.stderr)


@pytest.mark.parametrize("name", ["furnace", "furnace-controler", "Furnace_Controller"])
def test_a_misspelled_boss_is_guessed(name):
    ended = run("rubric", name)
    assert ended.returncode == 2
    assert "Did you mean furnace-controller?" in ended.stderr


def test_new_goes_into_the_configured_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = run("new", "training-dummy", EVALFORGE_FOLDER=str(tmp_path / "solutions"))
    assert str(tmp_path / "solutions" / "training-dummy") in ended.stdout
    assert (tmp_path / "solutions" / "training-dummy" / "dummy.py").is_file()


def test_an_untouched_starter_is_noticed_before_it_is_judged(tmp_path):
    run("new", "training-dummy", tmp_path / "mine")
    assert "This is the unchanged starter" in run("judge", "training-dummy", tmp_path / "mine").stderr
    source = tmp_path / "mine" / "dummy.py"
    source.write_text(source.read_text("utf-8") + "# mine\n", "utf-8")
    assert "unchanged" not in run("judge", "training-dummy", tmp_path / "mine").stderr
