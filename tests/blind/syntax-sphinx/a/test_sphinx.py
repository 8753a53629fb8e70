import pytest

from sphinx import EvaluationError, ParseError, evaluate, parse


def test_values():
    cases = {"2 + 3 * x": 14, "-2 ^ 2": -4, "2 ^ -2 ^ 2": 0.0625, "10 - 4 - 3": 3, "max(1, x)": 4}
    assert {text: evaluate(text, {"x": 4}) for text in cases} == cases


def test_parse_errors():
    for text, position in {"2 + * 3": 4, "(1 + 2": 6, "2 3 $": 2}.items():
        with pytest.raises(ParseError) as caught:
            parse(text)
        assert caught.value.position == position


def test_evaluation_errors():
    with pytest.raises(EvaluationError) as caught:
        evaluate("1 + x / 0", {"x": 1})
    assert caught.value.position == 6
