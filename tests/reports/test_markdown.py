"""Reports: everything that was judged, and nobody's words become markup."""

import re

from evalforge.model.evidence import LOAD_GROUP, Evidence, TrialOutcome, TrialResult
from evalforge.reports.markdown import report
from evalforge.reports.receipt import receipt_of
from tests.reports.attempts import attempt

HOSTILE = (
    "<img src=x onerror=alert(1)> [click](javascript:x) **bold** `code` | cell\n# heading\n- item http://evil.example"
)


def test_a_report_tells_the_whole_judging() -> None:
    one = attempt(2, 1)
    receipt = receipt_of(one)
    assert receipt is not None
    text = report(one, 3, receipt)
    for expected in (
        "# Straw",
        "**PASS**  3 of 4",
        "number 3",
        receipt.code,
        "because 2",
        "## Do next",
        "1. Do this.",
        "main.py",
    ):
        assert expected in text


def test_trial_zero_counts_for_itself_alone() -> None:
    loads = TrialResult(id="load", title="The code loads", group=LOAD_GROUP, outcome=TrialOutcome.PASSED)
    adds = TrialResult(id="a", title="Adds", group="sums", outcome=TrialOutcome.FAILED)
    one = attempt(2).model_copy(update={"evidence": Evidence(trials=(loads, adds))})
    assert "## Trials: 0 of 1" in report(one)
    assert "The code loads" not in report(one)
    broken = loads.model_copy(update={"outcome": TrialOutcome.FAILED})
    assert "The code loads" in report(one.model_copy(update={"evidence": Evidence(trials=(broken, adds))}))


def test_words_of_others_stay_words() -> None:
    one = attempt(2, boss_title=HOSTILE, files={"a`b|c.py": "x\n"})
    assert one.result is not None
    one = one.model_copy(
        update={
            "result": one.result.model_copy(update={"summary": HOSTILE, "improvements": (HOSTILE,)}),
            "submission": one.submission.model_copy(update={"notes": HOSTILE}),
        }
    )
    text = report(one)
    outside_code = re.sub(r"(?m)^    .*$", "", re.sub(r"(`+).*?\1", "", re.sub(r"\\`", "", text)))
    assert not re.search(r"(?<!\\)<|(?<!\\)\[(?![ x]\])|https?://", outside_code)
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert [line for line in headings if line.lstrip("# ").startswith("heading")] == []


def test_what_was_not_judged_says_so() -> None:
    one = attempt(1).model_copy(update={"result": None, "judgements": (), "ungraded_reason": "The server is away."})
    assert "The server is away." in report(one)
