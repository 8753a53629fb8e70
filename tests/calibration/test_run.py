"""A calibration asks a model anew for each repeat, goes on where it was broken off, and says what it cost."""

import json
import re
import shutil
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from evalforge.calibration.calibrate import Calibration, calibrate
from evalforge.calibration.calibration_plan import CalibrationPlan
from evalforge.fight import FightOptions
from evalforge.llm.model_options import ModelOptions
from evalforge.packs.gold import read_gold
from evalforge.packs.pack import load_pack
from tests.command_line import run
from tests.judges.always_top import always_top, top_reply
from tests.judges.replies import judgement
from tests.judges.test_command import DUMMY, FIRST_WIN, WEAK
from tests.messages_server import Answer, HttpRequest, MessagesServer, text_answer

pytestmark = pytest.mark.usefixtures("warm_engine")

LOWEST = {criterion.id: criterion.min_score for criterion in load_pack(DUMMY).rubric.criteria}


def lowest() -> dict[str, Any]:
    """The lowest levels, which need no quote."""
    data = judgement(LOWEST)
    for choice in data["criteria"].values():
        choice["evidence"] = []
    return data


def moody_server() -> MessagesServer:
    """A server that gives the highest levels and the lowest in turn."""
    moods = cycle((always_top, lambda _: text_answer(json.dumps(lowest()))))
    return MessagesServer(lambda request: next(moods)(request))


@pytest.fixture
def submissions(tmp_path: Path, own_home: Path) -> Path:
    """One submission with gold, and a price for the model."""
    shutil.copytree(FIRST_WIN, tmp_path / "submissions" / "first-win")
    (own_home / "prices.toml").write_text("[models]\nm = { input = 2.0, output = 10.0 }\n")
    return tmp_path / "submissions"


async def calibrated(server: MessagesServer, submissions: Path, repeats: int) -> Calibration:
    options = FightOptions(judge="claude", models=ModelOptions(("m",), server.url), save=False)
    return await calibrate(CalibrationPlan((load_pack(DUMMY),), options, repeats, submissions), lambda _: None)


async def test_each_repeat_is_asked_anew_and_none_twice(submissions: Path) -> None:
    with moody_server() as server:
        found = await calibrated(server, submissions, 3)
        assert len(server.bodies()) == 3
        assert found.pooled.pass_flips.value
        assert found.cost.input_tokens == 3000
        assert found.cost.usd == pytest.approx(3 * (1000 * 2e-6 + 200 * 10e-6))
        again = await calibrated(server, submissions, 4)
        assert len(server.bodies()) == 4
        assert again.cost.input_tokens == 1000


async def test_a_judge_that_always_says_yes_adds_nothing(submissions: Path) -> None:
    shutil.copytree(WEAK, submissions / "weak")
    with MessagesServer(always_top) as server:
        model = (await calibrated(server, submissions, 1)).model
    assert model is not None
    assert model.lowered > 0
    assert model.raw.bias.value is not None
    assert model.raw.bias.value > 0
    top, middle, forge = model.baselines
    assert top.gain.value in (0, None)
    assert forge.exact.value == 1
    assert middle.name == "always the middle level"
    assert model.conclusion.startswith("On these 2 submissions this model adds nothing to the evidence: ")


async def test_a_model_that_reads_as_readers_do_adds_something(submissions: Path) -> None:
    shutil.copytree(WEAK, submissions / "weak")
    golds = [read_gold(path).levels for path in (submissions / "first-win", submissions / "weak")]
    answers = iter(golds)

    def reader(request: HttpRequest) -> Answer:
        reply = top_reply(request.body)
        for name, level in next(answers).items():
            reply["criteria"][name]["score"] = level
        return text_answer(json.dumps(reply))

    with MessagesServer(reader) as server:
        model = (await calibrated(server, submissions, 1)).model
    assert model is not None
    assert model.raw.exact.value == 1
    assert all(baseline.gain.value in (1, None) for baseline in model.baselines)


def test_a_calibration_of_a_model_prints_what_is_its_own(submissions: Path) -> None:
    with MessagesServer(always_top) as server:
        where = ("--submissions", submissions, "--judge", "claude", "--model", "m", "--base-url", server.url)
        ended = run("calibrate", "training-dummy", *where)
    for words in (
        "The model itself",
        "its own choices",
        "levels lowered",
        "always the top level",
        "On this submission",
    ):
        assert words in ended.stdout, words


def test_the_price_is_said_before_and_what_was_spent_after(submissions: Path) -> None:
    with moody_server() as server:
        ended = run(
            *("calibrate", "training-dummy", "--submissions", submissions, "--repeat", "2", "--json"),
            *("--judge", "claude", "--model", "m", "--base-url", server.url),
        )
    first, *_, last = ended.stderr.splitlines()
    assert first.startswith("claude judge, m: about $0.")
    assert re.search(r"estimated\); up to \$0\.\d\d is reserved for a call; the budget is \$5\.00", first)
    assert last == "spent: $0.0080 (2,000 tokens read, 400 written)"
    assert json.loads(ended.stdout)["cost"]["usd"] == pytest.approx(0.008)


def test_the_forge_is_free_and_says_nothing_of_it(submissions: Path) -> None:
    ended = run("calibrate", "training-dummy", "--submissions", submissions)
    assert "$" not in ended.stderr


def test_a_level_as_defensible_as_gold_is_counted_apart(submissions: Path) -> None:
    path, first = submissions / "first-win" / "gold.yaml", next(iter(LOWEST))
    levels = {**read_gold(path.parent).levels, first: 0}
    gold = {"levels": levels, "verdict": "pass", "also": {first: [1, 3]}}
    path.write_text(json.dumps(gold), "utf-8")
    ended = run("calibrate", "training-dummy", "--submissions", submissions, "--json")
    pooled = json.loads(ended.stdout)["pooled"]
    assert pooled["exact"]["value"] < pooled["defensible"]["value"] == 1
    path.write_text(json.dumps({**gold, "also": {first: [7]}}), "utf-8")
    assert f"no gold level of {first}" in run("calibrate", "training-dummy", "--submissions", submissions).stderr
