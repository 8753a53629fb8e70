"""Past attempts at the command line: listed, checked, compared, replayed, shown around."""

import json
import os
import shutil
import sqlite3
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from evalforge.model.events import EVENT
from tests.command_line import run


@pytest.fixture
def forge(judged_home: Path, own_home: Path) -> Path:
    """Two real fights: a defeat, then a win."""
    shutil.copytree(judged_home, own_home, dirs_exist_ok=True)
    return own_home


@pytest.fixture
def ids(forge: Path) -> list[str]:
    """The win, and the defeat before it."""
    return [row["id"] for row in json.loads(run("attempts", "--json").stdout)]


def listed(*options: str) -> list[tuple[str, int]]:
    return [(row["verdict"], row["number"]) for row in json.loads(run("attempts", "--json", *options).stdout)]


@pytest.mark.usefixtures("forge")
def test_attempts_are_filtered_searched_and_sorted() -> None:
    assert listed() == [("pass", 2), ("fail", 1)]
    assert listed("--verdict", "fail") == [("fail", 1)]
    assert listed("--sort", "integrity") == [("pass", 2), ("fail", 1)]
    assert listed("--search", "EXEMPLARS/weak") == [("fail", 1)]
    assert listed("--boss", "nobody") == []
    assert "Nothing matches" in run("attempts", "--search", "nowhere").stdout


def test_an_untouched_attempt_verifies(ids: list[str]) -> None:
    ended = run("attempt", ids[0], "--verify")
    assert (ended.returncode, ended.stdout.split()[0]) == (0, "MATCHES")
    told = json.loads(run("attempt", ids[0], "--verify", "--json").stdout)
    assert told["matches"] is True
    assert told["receipt"] == told["recomputed"]
    assert told["receipt"] in ended.stdout


def test_a_tampered_attempt_does_not(ids: list[str], forge: Path, tmp_path: Path) -> None:
    copy = tmp_path / "attempts.sqlite3"
    with sqlite3.connect(forge / "attempts.sqlite3") as source, sqlite3.connect(copy) as target:
        source.backup(target)
        target.execute("UPDATE attempts SET rubric_hash = 'another', score_total = 7 WHERE id = ?", (ids[0],))
    ended = run("attempt", ids[0], "--verify", EVALFORGE_HOME=str(tmp_path))
    assert ended.returncode == 1
    assert "rubric: " in ended.stdout
    assert "list: " in ended.stdout
    assert "DOES NOT MATCH" in ended.stdout


def test_why_leads_from_the_level_down_to_the_call(ids: list[str]) -> None:
    defeat = json.loads(run("attempt", ids[1], "--json").stdout)
    failed = next(trial for trial in defeat["evidence"]["trials"] if trial["outcome"] == "failed" and trial["command"])
    for judgement in defeat["judgements"]:
        criterion = judgement["criterion_id"]
        told = json.loads(run("attempt", ids[1], "--why", criterion, "--json").stdout)
        assert [level["reached"] for level in told["levels"]].count(False) == (told["score"] < told["max_score"])
        words = run("attempt", ids[1], "--why", criterion.upper()).stdout
        if any(
            failed["id"] == trial["id"]
            for level in told["levels"]
            for one in level["conditions"]
            for trial in one["trials"]
        ):
            assert failed["title"] in words
            assert failed["steps"][-1]["call"].split()[0] in words
            assert failed["command"].splitlines()[0] in words
            break
    else:
        pytest.fail("no criterion rests on the failed trial")


def test_why_names_the_criteria_where_there_is_none_such(ids: list[str]) -> None:
    ended = run("attempt", ids[0], "--why", "beauty")
    assert (ended.returncode, "There is no criterion 'beauty'." in ended.stderr) == (2, True)
    assert "Criteria: strikes_true (Strikes true), " in ended.stderr
    near = run("attempt", ids[0], "--why", "stands-its-grond")
    assert (near.returncode, "Did you mean stands_its_ground?" in near.stderr) == (2, True)
    without = run("attempt", ids[0], "--why")
    assert (without.returncode, "Criteria: strikes_true (Strikes true), " in without.stderr) == (2, True)


def test_why_needs_the_rubric_of_then(ids: list[str], forge: Path) -> None:
    with sqlite3.connect(forge / "attempts.sqlite3") as store:
        store.execute("UPDATE attempts SET rubric_hash = 'another' WHERE id = ?", (ids[0],))
    ended = run("attempt", ids[0], "--why", "decisions")
    assert (ended.returncode, "has changed since" in ended.stderr) == (2, True)


def test_comparing_tells_points_trials_and_files(ids: list[str]) -> None:
    win, defeat = ids
    told = json.loads(run("compare", defeat, win, "--json").stdout)
    assert told["comparable"] is True
    assert told["score_delta"] == sum(criterion["delta"] for criterion in told["criteria"]) > 0
    assert told["hp_delta"] < 0
    words = run("compare", defeat, win).stdout
    for expected in (f"+{told['score_delta']} points", "Strikes true", "failed to passed", "dummy.py", "@@"):
        assert expected in words
    assert "The files are identical." in run("compare", win, win).stdout


def test_a_replay_gives_the_stored_events(ids: list[str]) -> None:
    stored = json.loads(run("attempt", ids[0], "--json").stdout)["events"]
    lines = run("replay", ids[0], "--json").stdout.splitlines()
    assert [json.loads(line) for line in lines] == stored
    assert [EVENT.validate_json(line).kind for line in lines][-1] == "judged"


def test_a_replay_at_any_speed_says_what_the_fight_said(ids: list[str]) -> None:
    at_once = run("replay", ids[0]).stdout
    assert at_once == run("replay", ids[0], "--speed", "50").stdout
    assert "PASS" in at_once


def test_cards_come_in_three_kinds(ids: list[str], tmp_path: Path) -> None:
    for suffix in ("svg", "md", "json"):
        assert run("card", ids[0], "-o", tmp_path / f"card.{suffix}").returncode == 0
    receipt = json.loads(run("attempt", ids[0], "--verify", "--json").stdout)["receipt"]
    svg = (tmp_path / "card.svg").read_text()
    ET.fromstring(svg)
    for content in (svg, (tmp_path / "card.md").read_text(), (tmp_path / "card.json").read_text()):
        assert receipt in content
    assert "HP " in svg or "gold" in svg
    assert json.loads((tmp_path / "card.json").read_text())["attempt"]["id"] == ids[0]


def test_a_fight_is_recorded_as_a_moving_picture(ids: list[str], tmp_path: Path) -> None:
    ended = run("replay", ids[0], "-o", tmp_path / "fight.svg")
    assert (ended.returncode, ended.stdout) == (0, "")
    assert "DEFEATED" in "".join(ET.fromstring((tmp_path / "fight.svg").read_text()).itertext())
    refused = run("replay", ids[0], "-o", tmp_path / "fight.mp4")
    assert refused.returncode == 2
    assert ".svg, .gif, .cast" in refused.stderr


def test_a_fight_is_recorded_as_an_asciicast(ids: list[str], tmp_path: Path) -> None:
    ended = run("replay", ids[0], "-o", tmp_path / "fight.cast")
    assert (ended.returncode, ended.stdout) == (0, "")
    header, *written = map(json.loads, (tmp_path / "fight.cast").read_text().splitlines())
    assert (header["version"], header["width"], header["height"]) == (2, 100, 30)
    times = [seconds for seconds, kind, _ in written if kind == "o"]
    assert times == sorted(times)
    assert times[-1] > 2
    text = "".join(text for _, _, text in written)
    assert "PASS" in text
    assert text.count("\n") == text.count("\r\n") > 10


def test_a_fight_is_recorded_as_a_gif(ids: list[str], tmp_path: Path) -> None:
    ended = run("replay", ids[0], "-o", tmp_path / "fight.gif")
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "fight.gif").read_bytes().startswith(b"GIF89a")


def test_a_card_in_pixels_says_what_it_needs(ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    refused = run("card", ids[0], "-o", tmp_path / "card.png")
    assert refused.returncode == 2
    assert "-m pip install" in refused.stderr
    assert not (tmp_path / "card.png").exists()


@pytest.mark.usefixtures("forge")
def test_progress_is_worked_out_from_history() -> None:
    told = json.loads(run("progress", "--json").stdout)
    assert (told["defeated"], told["flawless"], told["rank"]) == (1, 0, "Bellows Hand")
    assert "first-blood" in [award["id"] for award in told["achievements"]]
    assert "First blood" in run("progress").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["compare", "ID", "zzzz"], "There is no attempt 'zzzz'"),
        (["replay", "ID", "--speed", "0"], "--speed can't be '0'"),
        (["replay", "ID", "--speed", "fast"], "--speed can't be 'fast'"),
        (["card", "ID", "-o", "/tmp/card.bmp"], "Give a file that ends in .svg, .png, .md, .json."),
        (["card", "ID", "-o", "/nowhere/card.svg"], "can't be written"),
        (["card", "ID"], "required: -o"),
        (["attempts", "--sort", "newst"], "there is no choice 'newst'. Did you mean newest?"),
        (["watch", "training-dummy", "/nowhere"], "/nowhere does not exist"),
        (["watch", "dragon", "/"], "There is no boss called 'dragon'"),
        (["watch", "training-dummy", "/", "--judge", "oracle"], "There is no judge called 'oracle'"),
        (["watch", "training-dummy", "/", "--tests", "--judge", "forge"], "--tests and --judge don't go together"),
        (["serve", "--port", "0"], "--port can't be 0"),
        (["serve", "--host", "no.such.host.invalid"], "is unavailable"),
    ],
)
def test_wrong_usage_is_told(ids: list[str], arguments: list[str], words: str) -> None:
    ended = run(*(ids[0] if argument == "ID" else argument for argument in arguments))
    assert words in ended.stderr
    assert ended.returncode == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["attempt", "NAME"], "There is no attempt"),
        (["compare", "NAME", "NAME"], "There is no attempt"),
        (["replay", "NAME"], "There is no attempt"),
        (["card", "NAME", "-o", "/tmp/card.svg"], "There is no attempt"),
        (["attempts", "--boss", "NAME"], "Nothing matches"),
        (["override", "ID", "strikes_true", "3", "--reason", "NAME"], "3. caf?"),
        (["serve", "--host", "NAME"], "can't be the name of a machine"),
    ],
)
def test_bytes_that_are_no_text_end_in_no_traceback(ids: list[str], arguments: list[str], words: str) -> None:
    known = {"NAME": os.fsdecode(b"caf\xe9"), "ID": ids[0]}
    ended = run(*(known.get(argument, argument) for argument in arguments))
    assert words in ended.stdout + ended.stderr
    assert ended.returncode == (0 if arguments[0] in ("attempts", "override") else 2)
