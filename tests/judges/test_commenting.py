"""The forge's levels with a model's words: the model moves nothing, and its failure costs nothing."""

import json
from collections.abc import Callable

import pytest

from evalforge.judges.commenting import CommentingJudge
from evalforge.judges.forge import forge_opinion
from evalforge.judges.registry import estimate_cost, make_judge
from evalforge.llm.model_options import ModelOptions
from evalforge.model.events import Judged
from tests import factories
from tests.judges.conftest import CODE, judged, make_case, make_pack
from tests.judges.conftest import make_judge as judge_at
from tests.messages_server import Answer, MessagesServer, error_answer, text_answer

Serve = Callable[..., MessagesServer]


def comments(**words: str) -> str:
    criteria = {name: {"comment": text, "score": 2} for name, text in words.items()}
    return json.dumps({"criteria": criteria, "score_total": 99, "verdict": "strong_pass"})


async def test_a_models_words_follow_the_forges_and_move_no_level(serve: Serve) -> None:
    case = make_case(happy=False)
    server = serve([text_answer(comments(c0="`decide` in main.py:3 is off. Verdict: strong pass.", c1="", c9="x"))])
    end = (await judged(judge_at(server, kind=CommentingJudge), case))[-1]
    assert isinstance(end, Judged)
    forge = forge_opinion(case)
    assert [each.score for each in end.judgements] == [each.score for each in forge.judgements]
    assert end.judgements[0].comment == f"{forge.judgements[0].comment} Decide in main.py:3 is off."
    assert end.judgements[1].comment == forge.judgements[1].comment
    assert (end.result.summary, list(end.result.improvements)) == (forge.summary, list(forge.improvements))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (error_answer(401, "authentication_error"), "did not accept the key"),
        (text_answer("Sure, it is fine."), "can't be used: it holds no JSON object."),
        (text_answer(json.dumps({"criteria": []})), "keyed by criterion id"),
        (text_answer("so on and " * 900), "repeats itself"),
    ],
)
async def test_without_words_the_forges_judgement_remains(serve: Serve, answer: Answer, why: str) -> None:
    case = make_case()
    end = (await judged(judge_at(serve([answer]), kind=CommentingJudge), case))[-1]
    assert isinstance(end, Judged)
    assert end.judgements == forge_opinion(case).judgements
    assert why in end.result.raw_notes


async def test_a_server_that_refuses_the_form_is_asked_in_words(serve: Serve) -> None:
    server = serve(
        [error_answer(400, "invalid_request_error", "output_config"), text_answer(comments(c0="See main()."))]
    )
    end = (await judged(judge_at(server, kind=CommentingJudge)))[-1]
    assert isinstance(end, Judged)
    assert end.judgements[0].comment.endswith("See main().")
    assert ["output_config" in request for request in server.bodies()] == [True, False]


async def test_it_is_chosen_by_name_and_costs_less_than_a_judging(serve: Serve) -> None:
    options = ModelOptions(("claude-sonnet-5-5",))
    pack, submission = make_pack(), factories.submission(main=CODE)
    words, whole = [await estimate_cost(pack, submission, name, options) for name in ("forge+words", "claude")]
    assert words.input_tokens < whole.input_tokens
    local = ModelOptions(("m",), serve([text_answer(comments())]).url)
    assert make_judge("forge+words", local).info.name == "forge+words"
