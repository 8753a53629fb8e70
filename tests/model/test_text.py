"""After clean, nothing in a text can steer a terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.model.text import UNSAFE, clean, clean_line

any_text = st.text(st.characters(codec=None))


@given(any_text)
def test_nothing_unsafe_is_left(text: str) -> None:
    assert not UNSAFE.search(clean(text))


@given(any_text)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x9b31m", "<U+009B>31m"),
        ("a\u202eb", "a<U+202E>b"),
        ("a\u200bb", "a<U+200B>b"),
        ("\U000e0041", "<U+E0041>"),
        ("\ud800", "\ufffd"),
        ("a\r\nb\rc", "a\nb␍c"),
        ("[bold]", "[bold]"),
    ],
)
def test_what_steers_a_terminal_is_shown_instead(hostile: str, shown: str) -> None:
    assert clean(hostile) == shown


def test_emoji_families_stay_whole() -> None:
    assert clean("👩\u200d🚀 ❤\ufe0f") == "👩\u200d🚀 ❤\ufe0f"


def test_what_is_too_long_is_cut_and_says_so() -> None:
    assert clean("x" * 3000).endswith("… (1000 more characters)")
    assert clean("x\n" * 200_000).endswith("… (cut)")
    assert clean_line("a\nb") == "a b"
