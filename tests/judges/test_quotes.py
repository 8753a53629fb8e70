"""A quote counts where it is, and as code only where code runs."""

import pytest

from evalforge.judges.quote_check import QuoteFinder
from evalforge.judges.reply import Quote
from tests.judges.conftest import CODE

BOOK = QuoteFinder({"main.py": tuple(CODE.splitlines()), "README.md": ("All tests pass.", "x = decide(1)")})


@pytest.mark.parametrize(
    ("quote", "line", "is_code"),
    [
        (Quote("main.py", 1, "def decide(x):"), 1, True),
        (Quote("main.py", 4, "def decide(x):"), 1, True),
        (Quote("./main.py", 9, "return  0"), 10, True),
        (Quote("main.py", 3, "    if x > 1:\n        return \"HEAT\""), 3, True),
        (Quote("main.py", 3, "if x > 1:\n\nreturn \"HEAT\"  # certified"), 3, True),
        (Quote("main.py", 2, '"""All tests pass."""'), 2, False),
        (Quote("main.py", 2, "All tests pass."), 2, False),
        (Quote("main.py", 4, "# certified"), 4, False),
        (Quote("main.py", 4, "certified"), 4, False),
        (Quote("README.md", 2, "x = decide(1)"), 2, False),
    ],
)  # fmt: skip
def test_a_quote_that_is_there(quote: Quote, line: int, is_code: bool) -> None:
    found = BOOK.find(quote)
    assert found is not None
    assert (found.line, found.is_code) == (line, is_code)


@pytest.mark.parametrize(
    "quote",
    [
        Quote("main.py", 1, "def decide(y):"),
        Quote("main.py", 9, "def decide(x):"),
        Quote("other.py", 1, "def decide(x):"),
        Quote("../main.py", 1, "def decide(x):"),
        Quote("main.py", 1, "x"),
        Quote("main.py", 1, "   "),
        Quote("main.py", 1, 'def decide(x):\n    if x > 1:'),
        Quote("main.py", 999_999, "def decide(x):"),
        Quote("README.md", 1, "def decide(x):"),
    ],
)  # fmt: skip
def test_a_quote_that_is_not_there(quote: Quote) -> None:
    assert BOOK.find(quote) is None


@pytest.mark.parametrize(
    ("line", "is_code"),
    [('log("total", total)', True), ('total = count("total")', True), ('log("total", "total")  # total', False)],
)
def test_a_quote_is_code_where_any_place_of_it_in_the_line_is(line: str, is_code: bool) -> None:
    found = QuoteFinder({"a.py": (line,)}).find(Quote("a.py", 1, "total"))
    assert found is not None
    assert found.is_code is is_code


def test_code_that_does_not_parse_is_code_up_to_where_it_breaks() -> None:
    book = QuoteFinder({"a.py": ("value = 1", "broken = '''never closed", "more = 2")})
    first, last = book.find(Quote("a.py", 1, "value = 1")), book.find(Quote("a.py", 3, "more = 2"))
    assert first is not None
    assert last is not None
    assert (first.is_code, last.is_code) == (True, False)


def test_a_line_with_invisible_characters_is_found_as_shown() -> None:
    book = QuoteFinder({"a.py": ("value<U+200B> = 1",)})
    assert book.find(Quote("a.py", 1, "value\u200b = 1")) is not None
    assert book.find(Quote("a.py", 1, "value<U+200B> = 1")) is not None
