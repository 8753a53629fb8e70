"""A reply that goes in circles is cut, and scores nothing."""

import asyncio
import json
import threading
from collections.abc import Callable

import pytest

from evalforge.llm.retry import shortest_period
from evalforge.model.events import Ungraded
from tests.judges.conftest import judged, make_judge
from tests.judges.replies import judgement
from tests.messages_server import Answer, MessagesServer, Pause, stream_of, text_answer

Serve = Callable[..., MessagesServer]
BEGUN = json.dumps(judgement({"c0": 2, "c1": 1}))[:300]


@pytest.mark.parametrize("passage", [" ", "[", "The code is good. "])
async def test_a_reply_that_goes_in_circles_is_ungraded_at_once(serve: Serve, passage: str) -> None:
    # The server never ends the reply: only who notices the circle gets on.
    endless = [*stream_of(BEGUN + passage * 3_000, pieces=7)[:-3], Pause(threading.Event())]
    server = serve([Answer(endless)])
    end = (await asyncio.wait_for(judged(make_judge(server)), 60))[-1]
    assert isinstance(end, Ungraded)
    assert end.reason == "The model repeats itself without end: its reply was cut."
    assert end.advice.endswith("--judge forge")
    assert len(server.bodies()) == 1


async def test_a_long_reply_of_similar_parts_is_no_circle(serve: Serve) -> None:
    scores = {"c0": 2, "c1": 1}
    reply = judgement(scores, improvements=[{"criterion": "c0", "text": f"Name limit {n}."} for n in range(100)])
    assert not isinstance((await judged(make_judge(serve([text_answer(json.dumps(reply))]))))[-1], Ungraded)


@pytest.mark.parametrize(("text", "period"), [("", 0), ("abc", 3), ("abcabcab", 3), ("aaaa", 1), ("ababababx", 9)])
def test_the_shortest_period_may_end_within_a_repetition(text: str, period: int) -> None:
    assert shortest_period(text) == period
