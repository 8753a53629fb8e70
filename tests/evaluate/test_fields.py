"""What a rubric asks for is read from its words; values are taken as they are or not at all."""

import pytest

from evalforge.evaluate.fields import (
    Field,
    FieldError,
    FieldType,
    Metric,
    ScaleError,
    Statistic,
    item_fields,
    reported_fields,
    scale_of,
)


@pytest.mark.parametrize(
    ("rubric", "scale"),
    [
        ("Rate each result set from 1-5 for relevance:", (1, 5)),
        ("Rate this cluster 1-5:\n- 5: good", (1, 5)),
        ("Score it on a scale of 0 to 10.", (0, 10)),
        ("Rate 1\u20137.", (1, 7)),
        ("Give a score (0.0-1.0) to each.", (0, 1)),
        ("Rate from 1 (poor) to 10 (perfect).", (1, 10)),
        ("The texts are about 1914-1918. Marks from 0 to 6.", (0, 6)),
        ("Score texts of 100-200 words\nfrom 1 to 5.", (1, 5)),
        ("Give a score between \u22122 and 2.", (-2, 2)),
        ("Score from 0 % to 100 %.", (0, 100)),
        ("Rate 1 to 5.\nAlso report: tone_score (0-10)", (1, 5)),
        ("- Rate wit 1-5\n- Rate the whole text 1-5", (1, 5)),
    ],
)
def test_the_scale_is_the_rubrics(rubric: str, scale: tuple[float, float]) -> None:
    assert scale_of(rubric) == scale


@pytest.mark.parametrize(
    ("rubric", "words"),
    [
        ("Say what you think.", "names no scale"),
        ("Rate it out of 10.", "names no scale"),
        ("Rate it: 1 = poor, 5 = perfect.", "names no scale"),
        ("Rate the letters of 1914-1918.", "names no scale"),
        ("A rating between good and bad. Items of 2020-2024.", "names no scale"),
        ("Rate 1-5. Score brevity from 0 to 10.", "several scales could be meant: 0 to 10 and 1 to 5"),
    ],
)
def test_a_scale_is_never_guessed(rubric: str, words: str) -> None:
    with pytest.raises(ScaleError, match=words):
        item_fields(rubric, "mean_score", (), None)
    assert item_fields(rubric, "mean_score", (), (1, 5))[0].high == 5
    assert item_fields(rubric, "offtopic_rate", (), None)[0].type is FieldType.BOOLEAN


@pytest.mark.parametrize(
    ("rubric", "fields"),
    [
        ("Rate 1-5.\nAlso report: distinct_topics (integer), outlier_count (integer)",
         {"distinct_topics": FieldType.INTEGER, "outlier_count": FieldType.INTEGER}),
        ("Also report: ambiguous (boolean)", {"ambiguous": FieldType.BOOLEAN}),
        ("- Also report tone (text, one of: dry, warm) and `depth`", {"tone": FieldType.TEXT, "depth": FieldType.ANY}),
        ("Also report:\n- topics (integer): how many\n- why (text)\n\nRate 1-5.",
         {"topics": FieldType.INTEGER, "why": FieldType.TEXT}),
        ("Rate 1-5.", {}),
    ],
)  # fmt: skip
def test_fields_stand_after_also_report(rubric: str, fields: dict[str, FieldType]) -> None:
    assert {field.name: field.type for field in reported_fields(rubric)} == fields


def test_figures_that_are_wanted_need_their_fields() -> None:
    found = item_fields("Rate 1-5. \nAlso report: depth", "mean_score", ("mean_depth", "offtopic_rate"), None)
    assert [(field.name, field.type) for field in found] == [
        ("score", FieldType.NUMBER), ("depth", FieldType.NUMBER), ("offtopic", FieldType.BOOLEAN),
    ]  # fmt: skip
    assert (found[0].low, found[0].high) == (1, 5)


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("mean_score", ("score", Statistic.MEAN)),
        ("cluster_coherence", ("cluster_coherence", Statistic.MEAN)),
        ("ambiguous_rate", ("ambiguous", Statistic.RATE)),
        ("pct_scoring_4plus", ("score", Statistic.SHARE)),
        ("pct_depth_2.5plus", ("depth", Statistic.SHARE)),
        ("mean_distinct_topics", ("distinct_topics", Statistic.MEAN)),
    ],
)
def test_a_figures_name_says_what_it_is(name: str, metric: tuple[str, Statistic]) -> None:
    found = Metric.from_name(name)
    assert (found.field, found.statistic) == metric


def test_a_share_counts_the_edge() -> None:
    share = Metric.from_name("pct_scoring_4plus")
    assert [share.value_for({"score": score}) for score in (3.9, 4, 5)] == [0, 100, 100]
    assert share.value_for({}) is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (Field("score", FieldType.NUMBER, 1, 5), 6),
        (Field("score", FieldType.NUMBER, 1, 5), 0.999),
        (Field("score", FieldType.NUMBER, 1, 5), "4"),
        (Field("score", FieldType.NUMBER, 1, 5), True),
        (Field("score", FieldType.NUMBER, 1, 5), None),
        (Field("score", FieldType.NUMBER, 1, 5), [4]),
        (Field("score", FieldType.NUMBER), float("nan")),
        pytest.param(Field("score", FieldType.NUMBER, 1, 5), 10**400, id="a huge score"),
        pytest.param(Field("topics", FieldType.INTEGER), -(10**400), id="a huge count"),
        pytest.param(Field("any"), 10**400, id="a huge number"),
        (Field("any"), float("inf")),
        (Field("topics", FieldType.INTEGER), 1.5),
        (Field("good", FieldType.BOOLEAN), 1),
        (Field("why", FieldType.TEXT), 3),
        (Field("any"), None),
        (Field("any"), {"a": 1}),
    ],
)
def test_a_value_that_does_not_fit_is_refused_and_never_bent(field: Field, value: object) -> None:
    with pytest.raises(FieldError, match=field.name):
        field.read(value)


def test_text_from_a_judge_is_made_safe() -> None:
    assert Field("why", FieldType.TEXT).read("\x1b[2Jhm") == "␛[2Jhm"
