"""A reply is read strictly; while it comes, each criterion is seen once, the moment it is complete."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.judges.quote_check import QuoteFinder
from evalforge.judges.reply import Reply, ReplyError, read_reply
from evalforge.judges.reply_schema import schema_for
from evalforge.judges.vote import PartialReply
from tests import factories
from tests.judges.replies import judgement

RUBRIC = factories.rubric(2, 2, threshold=3)
GOOD = judgement({"c0": 2, "c1": 1})


def test_the_schema_allows_exactly_the_rubrics_levels() -> None:
    schema = schema_for(RUBRIC)
    criteria = schema["properties"]["criteria"]
    assert criteria["required"] == ["c0", "c1"]
    assert criteria["additionalProperties"] is False
    assert criteria["properties"]["c0"]["properties"]["score"]["enum"] == [0, 1, 2]
    assert list(criteria["properties"]["c0"]["properties"]) == [
        *("evidence", "comment", "score", "uncertain", "contradicts_limit", "claims")
    ]
    assert list(schema_for(RUBRIC, ["c1"])["properties"]["criteria"]["properties"]) == ["c1"]


def test_a_schema_is_valid_and_a_good_reply_fits_it() -> None:
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(schema_for(RUBRIC))
    validator.check_schema(schema_for(RUBRIC))
    validator.validate(GOOD)


def test_fractional_levels_are_the_rubrics_own_numbers() -> None:
    rubric = RUBRIC.model_validate(
        {
            "rubric_id": "r",
            "overall": {"pass_threshold": 1},
            "criteria": [
                {
                    "id": "c-1",
                    "label": "C",
                    "levels": [{"score": s, "label": "l", "description": "d"} for s in (0, 0.75, 1.5)],
                }
            ],
        }
    )  # fmt: skip
    assert read_reply(json.dumps(judgement({"c-1": 0.75})), rubric).choices["c-1"].score == 0.75
    with pytest.raises(ReplyError, match=r"one of 0, 0\.75, 1\.5"):
        read_reply(json.dumps(judgement({"c-1": 0.7500001})), rubric)


HUGE = ("1e999", "-1e999", "1" + "0" * 400, "1" + "0" * 4_200, "1" + "0" * 10_000)


@pytest.mark.parametrize("number", HUGE, ids=lambda number: f"{number[:6]} in {len(number)} signs")
def test_a_number_beyond_reckoning_is_no_level(number: str) -> None:
    text = json.dumps(GOOD).replace('"score": 2', f'"score": {number}')
    with pytest.raises(ReplyError, match=r"must be one of 0, 1, 2|not one valid JSON object"):
        read_reply(text, RUBRIC)
    assert [choice.criterion_id for choice in PartialReply(RUBRIC).feed(text)] == ["c1"]


def test_totals_and_verdicts_in_a_reply_count_for_nothing() -> None:
    data = {**GOOD, "score_total": 99, "passed": True, "verdict": "strong_pass"}
    assert read_reply(json.dumps(data), RUBRIC) == read_reply(json.dumps(GOOD), RUBRIC)


@pytest.mark.parametrize("length", [480, 599, 750])
def test_a_long_quote_is_still_found_where_it_stands(length: int) -> None:
    line = "value = [" + ", ".join(str(number) for number in range(400)) + "]"
    data = json.loads(json.dumps(GOOD))
    data["criteria"]["c0"]["evidence"] = [{"path": "main.py", "line": 1, "quote": line[:length]}]
    (quote,) = read_reply(json.dumps(data), RUBRIC).choices["c0"].quotes
    assert QuoteFinder({"main.py": (line,)}).find(quote) is not None


def test_who_does_not_say_it_is_sure_is_not() -> None:
    data = json.loads(json.dumps(GOOD))
    del data["criteria"]["c0"]["uncertain"]
    assert read_reply(json.dumps(data), RUBRIC).choices["c0"].uncertain


def test_text_is_made_safe_and_kept_short() -> None:
    data = json.loads(json.dumps(GOOD))
    data["criteria"]["c0"]["comment"] = "\x1b]52;c;AAAA\x07[bold]\u202e" + "x" * 5000
    data["summary"] = "One. Two. Three. Four. Five. Six."
    data["improvements"] = [f"Do {n}." for n in range(9)] + [3, None]
    reply = read_reply(json.dumps(data), RUBRIC)
    comment = reply.choices["c0"].comment
    assert not {"\x1b", "\x07", "\u202e"} & set(comment)
    assert len(comment) < 1400
    assert reply.summary == "One. Two. Three. Four."
    assert len(reply.improvements) == 5


@given(st.integers(1, 60), st.booleans())
def test_each_criterion_is_seen_once_whatever_the_pieces(size: int, ascii_only: bool) -> None:
    data = judgement({"c0": 2, "c1": 1}, quote=("main.py", 1, 'x = "}{\\" é 🙂"'))
    text = json.dumps(data, ensure_ascii=ascii_only, indent=1 if size % 2 else None)
    partial = PartialReply(RUBRIC)
    seen: list[tuple[str, int]] = []
    for begin in range(0, len(text), size):
        seen += [(choice.criterion_id, begin) for choice in partial.feed(text[begin : begin + size])]
    assert [name for name, _ in seen] == ["c0", "c1"]
    # With the piece that holds its last brace, and no later.
    end = text.index('"c1"')
    assert seen[0][1] < end


def test_a_criterion_that_is_no_criterion_is_not_told() -> None:
    text = json.dumps({"notes": {"c0": {"comment": "x", "score": 2}}, **judgement({"c9": 2, "c0": 7, "c1": 1})})
    assert [choice.criterion_id for choice in PartialReply(RUBRIC).feed(text)] == ["c1"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
QUOTE = st.fixed_dictionaries({}, optional={"path": JSON, "line": JSON, "quote": JSON})
LIKELY = st.fixed_dictionaries(
    {},
    optional={
        "evidence": JSON | st.lists(QUOTE, max_size=3),
        "comment": JSON | st.just("It works."),
        "score": JSON | st.sampled_from([0, 1, 2, 2.0, 3, -1, "2", True, 1e400, 10**30]),
        "uncertain": JSON,
    },
)  # fmt: skip
RIGHT = st.fixed_dictionaries(
    {"comment": st.just("It works."), "score": st.sampled_from([0, 1, 2, 2.0])},
    optional={"evidence": JSON, "uncertain": st.booleans()},
)
REPLIES = st.fixed_dictionaries(
    {"criteria": st.fixed_dictionaries({"c0": RIGHT, "c1": RIGHT})}
) | st.fixed_dictionaries(
    {},
    optional={
        "criteria": JSON | st.fixed_dictionaries({}, optional={"c0": LIKELY | JSON, "c1": LIKELY, "c2": JSON}),
        "summary": JSON,
        "improvements": JSON,
        "raw_notes": JSON,
        "score_total": JSON,
        "verdict": JSON,
    },
)


@st.composite
def replies(draw: st.DrawFn) -> str:
    """Replies from nearly right to noise: damaged, doubled, cut, fenced."""
    text = json.dumps(draw(REPLIES), ensure_ascii=draw(st.booleans()))
    kind = draw(st.integers(0, 5))
    if kind == 0:
        at = draw(st.integers(0, len(text)))
        return text[:at] + draw(st.text(max_size=4)) + text[at + draw(st.integers(0, 4)) :]
    if kind == 1:
        return text[: draw(st.integers(0, len(text)))]
    if kind == 2:
        return draw(st.sampled_from(["```json\n{}\n```", "Sure: {}", "{} and {}", "[{}]"])).replace("{}", text)
    return draw(st.text(max_size=40)) if kind == 3 else text


def check(text: str, size: int) -> None:
    """No crash, no level outside the enum, no total other than the sum."""
    partial = PartialReply(RUBRIC)
    told = [choice for begin in range(0, len(text), size) for choice in partial.feed(text[begin : begin + size])]
    assert all(choice.score in (0, 1, 2) for choice in told)
    assert len({choice.criterion_id for choice in told}) == len(told)
    try:
        reply = read_reply(text, RUBRIC)
    except ReplyError:
        return
    assert set(reply.choices) == {"c0", "c1"}
    assert all(type(choice.score) is int and choice.score in (0, 1, 2) for choice in reply.choices.values())
    assert _total(reply) == sum(choice.score for choice in reply.choices.values())


def _total(reply: Reply) -> float:
    from evalforge.judges.evidence_bounds import bound_choice
    from evalforge.judges.quote_check import QuoteFinder
    from evalforge.model.result import Opinion
    from evalforge.model.scoring import score
    from tests.judges.conftest import make_case

    case = make_case()
    judgements = tuple(bound_choice(case, choice, QuoteFinder({})).judgement for choice in reply.choices.values())
    result = score("straw", RUBRIC, Opinion(judgements=judgements, summary="", improvements=()))
    assert result.score_total == sum(judgement.score for judgement in judgements)
    return sum(choice.score for choice in reply.choices.values())


@given(replies(), st.integers(1, 9))
def test_no_reply_breaks_the_reader(text: str, size: int) -> None:
    check(text, size)
