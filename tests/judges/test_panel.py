"""One vote where it is clear, three or five where it isn't; a majority or the lower middle decides."""

import json
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.judges.panel import PanelJudge, decide_by_votes, is_near_other_verdict
from evalforge.model.events import Event, Judged, Ungraded
from evalforge.model.result import Judgement
from tests import factories
from tests.judges.conftest import judged, make_case, make_judge, make_pack
from tests.judges.replies import judgement
from tests.messages_server import Answer, HttpRequest, MessagesServer, error_answer, text_answer

Serve = Callable[..., MessagesServer]
FAR = make_pack(2, 2, 2, 2, 2, threshold=8, rules="")


def vote(*scores: float, **more: Any) -> Answer:
    return text_answer(json.dumps(judgement({f"c{n}": score for n, score in enumerate(scores)}, **more)))


def unsure(*scores: float) -> Answer:
    data = judgement({f"c{n}": score for n, score in enumerate(scores)})
    data["criteria"]["c0"]["uncertain"] = True
    return text_answer(json.dumps(data))


def ended(events: list[Event]) -> Judged:
    assert isinstance(events[-1], Judged), events[-1]
    return events[-1]


def given_scores(*scores: float) -> tuple[Judgement, ...]:
    return tuple(Judgement(criterion_id="c0", score=score, comment=f"number {n}") for n, score in enumerate(scores))


@pytest.mark.parametrize(
    ("scores", "asked", "decided"),
    [
        ([2], 1, 2),
        ([2, 2, 0], 3, 2),
        ([0, 1, 2], 3, 1),
        ([1, 2], 3, 1),
        ([2, 2], 3, 2),
        ([2, 2, 1, 1], 5, 1),
        ([2, 2, 0, 1, 1], 5, 1),
        ([0, 0, 2, 2, 2], 5, 2),
    ],
)
def test_a_strict_majority_decides_else_the_lower_median(scores: list[float], asked: int, decided: float) -> None:
    judgement = decide_by_votes(given_scores(*scores), asked)
    assert judgement.score == decided
    assert judgement.ambiguous == (len(set(scores)) > 1)
    assert judgement.comment == f"number {scores.index(decided)}"


@given(st.lists(st.sampled_from([0, 1, 2]), min_size=1, max_size=5))
def test_a_decision_is_a_vote_given_whatever_the_order(scores: list[int]) -> None:
    decided = decide_by_votes(given_scores(*scores), 5)
    assert decided.score in scores
    assert decide_by_votes(given_scores(*reversed(scores)), 5).score == decided.score


@pytest.mark.parametrize(
    ("scores", "close"),
    [
        ((2, 2, 2, 2, 2), True),
        ((0, 0, 0, 0, 0), False),
        ((2, 2, 2, 1, 0), True),
        ((2, 2, 2, 0, 0), False),
        ((2, 2, 0, 0, 0), True),
    ],
)
def test_close_is_within_one_of_another_verdict(scores: tuple[float, ...], close: bool) -> None:
    judgements = factories.opinion(*scores).judgements
    assert is_near_other_verdict(factories.rubric(2, 2, 2, 2, 2, threshold=8), judgements) is close


async def panel(server: MessagesServer, *models: str) -> list[Event]:
    return await judged(make_judge(server, *models, kind=PanelJudge), make_case(pack=FAR))


async def test_a_clear_case_takes_one_vote(serve: Serve) -> None:
    server = serve([vote(0, 0, 0, 0, 0)])
    judgements = ended(await panel(server)).judgements
    assert len(server.bodies()) == 1
    assert all(j.votes == () and not j.ambiguous for j in judgements)


async def test_an_uncertain_vote_makes_it_three_kept_and_shown(serve: Serve) -> None:
    server = serve([unsure(1, 0, 0, 0, 0), vote(0, 0, 0, 0, 0), vote(0, 0, 0, 0, 0)])
    judgements = ended(await panel(server)).judgements
    assert len(server.bodies()) == 3
    assert sorted(judgements[0].votes) == [0, 0, 1]
    assert (judgements[0].score, judgements[0].ambiguous, judgements[0].uncertain) == (0, True, True)
    assert (judgements[1].votes, judgements[1].ambiguous) == ((0, 0, 0), False)


async def test_what_is_still_split_takes_five(serve: Serve) -> None:
    votes = [vote(2, 2, 2, 2, 0), vote(2, 2, 2, 2, 0), vote(2, 2, 2, 0, 0), vote(2, 2, 2, 0, 0), vote(2, 2, 2, 0, 0)]
    server = serve(votes)
    end = ended(await panel(server))
    assert len(server.bodies()) == 5
    assert (end.judgements[3].score, end.result.verdict) == (0, "borderline")


async def test_several_models_are_asked_in_turn(serve: Serve) -> None:
    server = serve([unsure(0, 0, 0, 0, 0), vote(0, 0, 0, 0, 0)])
    await panel(server, "a", "b", "c")
    assert sorted(request["model"] for request in server.bodies()) == ["a", "b", "c"]


async def test_a_vote_that_fails_is_withheld_and_told(serve: Serve) -> None:
    def answer(request: HttpRequest) -> Answer:
        return error_answer(401, "authentication_error") if request.body["model"] == "b" else unsure(2, 0, 0, 0, 0)

    end = ended(await panel(serve(answer), "a", "b", "c"))
    assert "withheld" in end.result.raw_notes
    assert end.judgements[0].votes == (2, 2)


async def test_a_vote_of_a_number_beyond_reckoning_is_withheld(serve: Serve) -> None:
    def answer(request: HttpRequest) -> Answer:
        scores = (math.inf if request.body["model"] == "b" else 2, 0, 0, 0, 0)
        data = json.dumps(judgement({f"c{n}": score for n, score in enumerate(scores)}))
        return text_answer(data.replace("Infinity", "1e999").replace("false", "true"))

    end = ended(await panel(serve(answer), "a", "b", "c"))
    assert "must be one of 0, 1, 2, not inf" in end.result.raw_notes
    assert end.judgements[0].votes == (2, 2)


async def test_a_panel_most_of_which_fails_is_ungraded(serve: Serve) -> None:
    def answer(request: HttpRequest) -> Answer:
        return unsure(2, 0, 0, 0, 0) if request.body["model"] == "a" else error_answer(401, "authentication_error")

    end = (await panel(serve(answer), "a", "b", "c"))[-1]
    assert isinstance(end, Ungraded)
    assert "did not accept the key" in end.reason


async def test_the_same_panel_decides_the_same_for_free(serve: Serve) -> None:
    server = serve([unsure(1, 0, 0, 0, 0), vote(0, 0, 0, 0, 0)])
    first = ended(await panel(server))
    again = ended(await panel(server))
    assert again.judgements == first.judgements
    assert len(server.bodies()) == 3
