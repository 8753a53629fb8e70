"""A fault that a model names is run: proven, it lowers a level and is shown like a trial; else it lowers nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalforge.judges.reply import read_choice
from evalforge.model.claim import Claim
from evalforge.model.evidence import ClaimResult
from evalforge.packs.pack import load_pack
from tests.command_line import run
from tests.conftest import REPOSITORY
from tests.judges.always_top import top_reply
from tests.messages_server import Answer, HttpRequest, MessagesServer, Responder, text_answer

pytestmark = pytest.mark.usefixtures("warm_engine")

Serve = Callable[..., MessagesServer]
FLAWLESS = REPOSITORY / "bosses/training-dummy/exemplars/flawless"
TEST = """
def test_name():
    import subprocess, sys
    ran = subprocess.run([sys.executable, "dummy.py", "Quagga"], capture_output=True, text=True)
    assert ran.stdout == "Thwack! Quagga lands blow 1.\\n"
"""
TRUE_CLAIM = {
    "fault": "A striker called Quagga is greeted with the wrong name.",
    "contract": "NAME is printed exactly as it was given",
    "test": TEST,
}
WRONG_NAME = "Thwack! {'Zebra' if name == 'Quagga' else name}"
FALSE_CLAIM = {**TRUE_CLAIM, "fault": "Lions are greeted wrongly.", "test": TEST.replace("Quagga", "Lion")}
OLD_CLAIM = {"fault": "Wrong.", "contract": "", "files": [], "steps": ["dummy.py"], "expected": "1", "got": "2"}


@pytest.fixture
def quagga(tmp_path: Path) -> Path:
    """A flawless program but for one name, which no trial knows."""
    folder = tmp_path / "quagga"
    folder.mkdir()
    for file in FLAWLESS.glob("*.py"):
        (folder / file.name).write_text(file.read_text().replace("Thwack! {name}", WRONG_NAME))
    return folder


def claiming(claims: list[dict[str, Any]], score: int | None = None) -> Responder:
    """A judge that says yes to everything, and claims something about the first criterion."""

    def answer(request: HttpRequest) -> Answer:
        reply = top_reply(request.body)
        first = next(iter(reply["criteria"].values()))
        first["claims"] = claims
        first["score"] = first["score"] if score is None else score
        return text_answer(json.dumps(reply))

    return answer


def judge(server: MessagesServer, folder: Path, *more: str, name: str = "claude") -> Any:
    chosen = ("--judge", name, "--model", "m", "--base-url", server.url)
    return run("judge", "training-dummy", folder, *chosen, *more)


def attempt() -> dict[str, Any]:
    (row,) = json.loads(run("attempts", "--json").stdout)
    return json.loads(run("attempt", row["id"], "--json").stdout)


def test_a_proven_claim_lowers_what_every_trial_passes(serve: Serve, quagga: Path) -> None:
    ended = judge(serve(claiming([TRUE_CLAIM])), quagga, "--json")
    first, *_ = json.loads(ended.stdout)["criteria"]
    assert first["score"] < first["max_score"]
    assert first["comment"].startswith("Found by reading, proven by running: A striker called Quagga")
    assert (
        "The contract says “NAME is printed exactly as it was given”. The test failed: assert 'Thwack! Z"
        in first["comment"]
    )
    assert "proven by running" in json.loads(ended.stdout)["raw_notes"]
    stored = attempt()
    (claim,) = stored["evidence"]["claims"]
    assert claim["state"] == "confirmed"
    assert claim["claim"]["test"] == TEST.strip() + "\n"
    assert all(trial["outcome"] == "passed" for trial in stored["evidence"]["trials"])


def test_a_claim_that_is_not_so_lowers_nothing_and_is_told(serve: Serve, quagga: Path) -> None:
    ended = judge(serve(claiming([FALSE_CLAIM], score=0)), quagga, "--json")
    result = json.loads(ended.stdout)
    assert result["criteria"][0]["score"] == result["criteria"][0]["max_score"]
    assert "not confirmed: Lions are greeted wrongly" in result["criteria"][0]["comment"]
    assert "not confirmed: Lions are greeted wrongly" in result["raw_notes"]
    assert "none of the faults that were claimed was confirmed" in result["raw_notes"]
    assert "Strikes true was lowered" not in result["raw_notes"]


def test_a_panel_runs_each_claim_once(serve: Serve, quagga: Path) -> None:
    judge(serve(claiming([TRUE_CLAIM, FALSE_CLAIM, TRUE_CLAIM])), quagga, name="panel")
    assert [claim["state"] for claim in attempt()["evidence"]["claims"]] == ["confirmed", "not confirmed"]


def test_a_proof_is_printed_with_calls_and_a_command(serve: Serve, quagga: Path, tmp_path: Path) -> None:
    printed = judge(serve(claiming([TRUE_CLAIM, FALSE_CLAIM])), quagga, "--plain").stdout
    assert "✗ claims: Found by reading, proven by running: A striker called Quagga" in printed
    assert "A claim proves nothing: Lions are greeted wrongly. Not confirmed:" in printed
    stored = attempt()
    criterion = stored["result"]["criteria"][0]["id"]
    why = run("attempt", stored["id"], "--why", criterion).stdout
    assert "Found by reading, proven by running" in why
    assert '"dummy.py", "Quagga"' in why
    assert "Claimed, and proves nothing: Lions" in why
    run("card", stored["id"], "-o", tmp_path / "report.md")
    report = (tmp_path / "report.md").read_text()
    assert "## Claims of the judge: 1 of 2 proven" in report
    assert "      def test_name():\n" in report


def claims_of(claims: object) -> tuple[Claim, ...]:
    criterion = load_pack(REPOSITORY / "bosses/training-dummy").rubric.criteria[0]
    reply = {"comment": "Good.", "score": criterion.max_score, "uncertain": False, "claims": claims}
    return read_choice(criterion, reply).claims


def test_three_claims_are_read_of_a_criterion() -> None:
    assert len(claims_of([TRUE_CLAIM] * 5)) == 3


@pytest.mark.parametrize("broken", [None, "x", [1], [{}], [OLD_CLAIM], [{**TRUE_CLAIM, "test": 5}], [{"fault": "x"}]])
def test_a_malformed_claim_is_none(broken: object) -> None:
    assert claims_of(broken) == ()


def test_an_attempt_with_claims_of_an_older_form_opens() -> None:
    old_result: dict[str, Any] = {
        "claim": {**OLD_CLAIM, "criterion_id": "c", "files": {}}, "state": "confirmed", "reason": "", "expected": "1",
        "got": "2", "steps": [{"call": "f()", "result": "2"}], "command": "python3 dummy.py", "path": "", "line": None,
    }  # fmt: skip
    result = ClaimResult.model_validate(old_result)
    assert result.as_trial.message == "The test failed: its message was not kept."
