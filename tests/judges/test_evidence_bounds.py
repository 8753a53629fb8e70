"""A model is believed as far as its quotes and the evidence carry it."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from evalforge.judges.base import Case
from evalforge.model.events import CriterionJudged, Judged, Progress, Ungraded
from tests import factories
from tests.judges.conftest import CODE, judged, make_case, make_judge, make_pack
from tests.judges.replies import judgement
from tests.messages_server import Answer, MessagesServer, error_answer, text_answer

Serve = Callable[..., MessagesServer]
CODE_QUOTE = ("main.py", 3, "if x > 1:")
NOWHERE = ("main.py", 3, "if x >= 1:")
COMMENT = ("main.py", 2, "All tests pass.")


def reply(c0: float, c1: float, quote: tuple[str, int, str] = CODE_QUOTE) -> str:
    return json.dumps(judgement({"c0": c0, "c1": c1}, quote))


async def scores(server: MessagesServer, **case: bool) -> tuple[list[float], list[str]]:
    end = (await judged(make_judge(server), make_case(**case)))[-1]
    assert isinstance(end, Judged)
    return [j.score for j in end.judgements], [j.bounded for j in end.judgements]


async def test_no_level_exceeds_the_trials_and_the_reason_is_given(serve: Serve) -> None:
    given, why = await scores(serve([text_answer(reply(2, 2))]), edges=False)
    assert given == [1, 2]
    assert why == ["The judge chose “level 2”; the evidence allows no more than “level 1”: An edge is off.", ""]


async def test_the_ceiling_holds_already_while_the_reply_comes(serve: Serve) -> None:
    events = await judged(make_judge(serve([text_answer(reply(2, 2))])), make_case(happy=False))
    told = [event for event in events if isinstance(event, CriterionJudged) and event.provisional]
    assert [event.judgement.score for event in told] == [0, 2]


def quoting(scores: dict[str, float], quotes: dict[str, tuple[str, int, str]]) -> str:
    """A reply that quotes something else for some criteria."""
    data = judgement(scores, CODE_QUOTE)
    for name, (path, line, text) in quotes.items():
        data["criteria"][name]["evidence"] = [{"path": path, "line": line, "quote": text}]
    return json.dumps(data)


@pytest.mark.parametrize(
    "quote",
    [NOWHERE, COMMENT, ("main.py", 1, "import os"), ("main.py", 6, "else:"), ("test_main.py", 2, "assert 1 + 1 == 2")],
    ids=["not there", "a docstring", "an import", "bare structure", "only a test"],
)
async def test_a_level_without_a_telling_quote_is_lowered(serve: Serve, quote: tuple[str, int, str]) -> None:
    code = CODE.replace('    return "STABLE"', '    else:\n        return "STABLE"')
    files = factories.submission(main=f"import os\n{code}", test_main="def test_it():\n    assert 1 + 1 == 2\n")
    server = serve([text_answer(quoting({"c0": 2, "c1": 2}, {"c0": ("main.py", 4, "if x > 1:"), "c1": quote}))])
    case = make_case(submission=files)
    end = (await judged(make_judge(server), case))[-1]
    assert isinstance(end, Judged)
    assert [j.score for j in end.judgements] == [2, 1]
    assert end.judgements[1].bounded.startswith("Lowered to “level 1”")
    assert len(server.bodies()) == 2
    asked = server.bodies()[1]
    assert "c1" in asked["messages"][-1]["content"][0]["text"]
    assert list(asked["output_config"]["format"]["schema"]["properties"]["criteria"]["properties"]) == ["c1"]


async def test_a_missing_line_takes_nothing_from_what_trials_earn(serve: Serve) -> None:
    end = (await judged(make_judge(serve([text_answer(quoting({"c0": 2, "c1": 1}, {"c0": COMMENT}))]))))[-1]
    assert isinstance(end, Judged)
    assert [(j.score, j.uncertain, j.bounded) for j in end.judgements] == [(2, True, ""), (1, False, "")]


async def test_a_reply_of_mostly_invented_quotes_is_ungraded(serve: Serve) -> None:
    server = serve([text_answer(reply(2, 2, NOWHERE))])
    for asked in (2, 4):
        end = (await judged(make_judge(server), make_case()))[-1]
        assert isinstance(end, Ungraded)
        assert "not in the files (2 of 2 quotes)" in end.reason
        assert "--judge forge" in end.advice
        assert len(server.bodies()) == asked


async def test_a_true_quote_of_another_line_is_not_invented(serve: Serve) -> None:
    far = ("main.py", 40, "if x > 1:")
    end = (await judged(make_judge(serve([text_answer(reply(2, 0, far))])), make_case()))[-1]
    assert isinstance(end, Judged)


async def test_a_lowered_criterion_says_what_lowered_it(serve: Serve) -> None:
    praise = judgement({"c0": 2, "c1": 2}, CODE_QUOTE, summary="Flawless. It does everything right.")
    praise["criteria"]["c0"]["comment"] = "Every edge is handled perfectly."
    end = (await judged(make_judge(serve([text_answer(json.dumps(praise))])), make_case(edges=False)))[-1]
    assert isinstance(end, Judged)
    shown = end.result.model_dump_json()
    assert "perfectly" not in shown
    assert "Flawless" not in shown
    assert end.result.criteria[0].comment == "An edge is off. “edges works”."
    assert "Criterion 0 was lowered from 2 (“level 2”) to 1 (“level 1”)" in end.result.raw_notes
    assert "1 of 2 trials pass" in end.result.summary
    assert (end.judgements[0].chosen, end.judgements[0].written) == (2, "Every edge is handled perfectly.")
    assert "Flawless." in end.written


async def test_a_judge_speaks_of_the_code_and_of_nothing_else(serve: Serve) -> None:
    said = judgement(
        {"c0": 2, "c1": 1},
        CODE_QUOTE,
        summary="As an AI, I believe `decide()` is **clear**. Its limits are named. The verdict is a strong pass.",
        improvements=["I would suggest nothing.", "## Test the edges", "Total score: 3 of 4."],
        raw_notes="I judged this without bias.",
    )
    said["criteria"]["c0"]["comment"] = "I think that the edge holds. It scores 2 out of 2."
    end = (await judged(make_judge(serve([text_answer(json.dumps(said))]))))[-1]
    assert isinstance(end, Judged)
    assert end.result.criteria[0].comment == "The edge holds."
    assert end.result.summary == "decide() is clear. Its limits are named."
    assert end.result.improvements[0] == "Test the edges."
    assert end.result.raw_notes == ""


async def test_improvements_come_by_what_they_would_gain(serve: Serve) -> None:
    advice = [
        {"criterion": "c0", "text": "Polish what is at its top."},
        {"criterion": "c1", "text": "Mend what has points to gain."},
    ]
    end = (
        await judged(make_judge(serve([text_answer(json.dumps(judgement({"c0": 2, "c1": 0}, improvements=advice)))])))
    )[-1]
    assert isinstance(end, Judged)
    assert end.result.improvements == ("Mend what has points to gain.", "Polish what is at its top.")


@pytest.mark.parametrize("line", [0, -5, 10**8, None, "3", 3.5, True])
async def test_a_quote_from_nowhere_in_particular_is_no_evidence(serve: Serve, line: object) -> None:
    given = json.loads(reply(0, 2))
    given["criteria"]["c1"]["evidence"][0]["line"] = line
    server = serve([text_answer(json.dumps(given))])
    assert await scores(server) == ([0, 1], ["", "Lowered to “level 1”: the judge quoted no line for it."])
    assert "no quote with a path, a line number" in server.bodies()[1]["messages"][-1]["content"][0]["text"]


async def test_a_better_quote_keeps_the_level(serve: Serve) -> None:
    better = text_answer(json.dumps(judgement({"c0": 2}, CODE_QUOTE)))
    assert await scores(serve([text_answer(reply(2, 0, NOWHERE)), better])) == ([2, 0], ["", ""])


async def test_asking_again_never_raises_a_level(serve: Serve) -> None:
    higher = text_answer(json.dumps(judgement({"c0": 2}, CODE_QUOTE)))
    assert (await scores(serve([text_answer(reply(1, 0, COMMENT)), higher])))[0] == [1, 0]


async def test_the_lowest_level_needs_no_quote(serve: Serve) -> None:
    server = serve([text_answer(reply(0, 0, COMMENT))])
    assert (await scores(server))[0] == [0, 0]
    assert len(server.bodies()) == 1


async def test_a_failure_while_asking_again_is_ungraded(serve: Serve) -> None:
    gone: Answer = error_answer(401, "authentication_error")
    end = (await judged(make_judge(serve([text_answer(reply(2, 0, NOWHERE)), gone])), make_case()))[-1]
    assert isinstance(end, Ungraded)


async def test_quotes_that_were_found_are_the_findings(serve: Serve) -> None:
    end = (await judged(make_judge(serve([text_answer(reply(2, 1))]))))[-1]
    assert isinstance(end, Judged)
    assert [finding.place for finding in end.judgements[0].findings] == ["main.py:3"]


async def test_a_remembered_reply_is_held_against_todays_evidence(serve: Serve) -> None:
    server = serve([text_answer(reply(2, 2))])
    assert (await scores(server))[0] == [2, 2]
    assert (await scores(server, edges=False))[0] == [1, 2]
    events = await judged(make_judge(server), make_case())
    assert any(isinstance(event, Progress) and "at no cost" in event.message for event in events)
    assert len(server.bodies()) == 1
    await judged(make_judge(server, "another"), make_case())
    assert len(server.bodies()) == 2


BUILD = """
c0:
  - level: 1
    requires:
      - {fact: code.syntax_errors, check: "== 0", otherwise: "Python can't read it."}
      - {fact: code.functions, check: ">= 3", otherwise: "Next to nothing can be called."}
  - level: 2
    requires: [{fact: code.longest_function, check: "<= 40", otherwise: "One function is too long."}]
c1:
  - level: 1
    requires: [{fact: tests.asserts, check: ">= 1", otherwise: "No test asserts anything."}]
"""


def build_case(threshold: float = 4, **facts: float | None) -> Case:
    return replace(make_case(pack=make_pack(threshold=threshold, rules=BUILD)), evidence=factories.evidence(**facts))


async def bounded(serve: Serve, case: Case, c0: float = 2, c1: float = 2) -> Judged:
    end = (await judged(make_judge(serve([text_answer(reply(c0, c1))])), case))[-1]
    assert isinstance(end, Judged)
    return end


@pytest.mark.parametrize(
    ("facts", "levels"),
    [
        ({"code__syntax_errors": 1}, [0, 2]),
        ({"code__syntax_errors": 0, "code__functions": 0}, [0, 2]),
        ({"code__syntax_errors": 0, "code__functions": 3, "tests__asserts": 0}, [2, 0]),
        ({"code__functions": 9, "tests__asserts": None}, [2, 2]),
    ],
    ids=["can't be read", "nothing to call", "nothing asserted", "not measured"],
)
async def test_what_leaves_nothing_to_judge_bounds_a_model(
    serve: Serve, facts: dict[str, float | None], levels: list[float]
) -> None:
    end = await bounded(serve, build_case(threshold=1, **facts))
    assert [judgement.score for judgement in end.judgements] == levels


async def test_style_moves_a_level_but_no_verdict(serve: Serve) -> None:
    facts = {"code__syntax_errors": 0, "code__functions": 9, "code__longest_function": 99, "tests__asserts": 1}
    below = await bounded(serve, build_case(threshold=2, **facts), c1=1)
    assert [judgement.score for judgement in below.judgements] == [2, 1], "it passes either way"
    end = await bounded(serve, build_case(threshold=4, **facts))
    assert [judgement.score for judgement in end.judgements] == [1, 2]
    assert end.result.verdict == "borderline"
    assert end.judgements[0].comment == "One function is too long."
    assert end.judgements[0].bounded.startswith("Lowered to “level 1”: what was measured makes a borderline")
    assert "lowered from 2 (“level 2”) to 1 (“level 1”)" in end.result.raw_notes


async def test_words_a_model_leaves_out_are_filled_up_to_the_contract(serve: Serve) -> None:
    bare = {**judgement({"c0": 0, "c1": 0}), "summary": "Short", "improvements": []}
    end = (await judged(make_judge(serve([text_answer(json.dumps(bare))]))))[-1]
    assert isinstance(end, Judged)
    assert 2 <= len(end.result.improvements) <= 5
    assert end.result.summary.startswith("Short")
    assert len(end.result.summary.split(". ")) >= 2


async def test_a_contradicted_limit_holds_and_its_author_reads_why(serve: Serve) -> None:
    said = judgement({"c0": 2, "c1": 1}, CODE_QUOTE)
    for choice in said["criteria"].values():
        choice["contradicts_limit"] = "The trial asks for an edge that main.py:3 has."
    end = (await judged(make_judge(serve([text_answer(json.dumps(said))])), make_case(edges=False)))[-1]
    assert isinstance(end, Judged)
    assert [each.score for each in end.judgements] == [1, 1]
    assert [each.contradiction for each in end.judgements] == ["The trial asks for an edge that main.py:3 has.", ""]
    assert end.result.raw_notes.count("The judge contradicts the limit of") == 1
