"""A line that is printed without Rich is the one that Rich prints."""

from io import StringIO

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from evalforge.cli import output
from evalforge.cli.line_output import render_line
from evalforge.model.text import clean

SPACED_WORDS = st.text(st.sampled_from("abc   "), max_size=40)
PARTS = st.lists(st.tuples(SPACED_WORDS | st.text(max_size=8).map(clean), st.sampled_from(["", "bold", "dim"])))


def printed_by_rich(parts: list[tuple[str, str]], columns: int | None) -> str:
    is_terminal = columns is not None
    file = StringIO()
    out = Console(
        file=file,
        markup=False,
        highlight=False,
        emoji=False,
        soft_wrap=not is_terminal,
        force_terminal=is_terminal,
        color_system="standard" if is_terminal else None,
        width=columns,
        legacy_windows=False,
    )
    output.print_line(out, *parts)
    return file.getvalue()


@given(PARTS, st.none() | st.integers(1, 60))
def test_a_line_without_rich_is_the_one_rich_prints(parts, columns):
    line = render_line(parts, columns)
    assert line is None or line == printed_by_rich(parts, columns)


@given(st.lists(st.tuples(SPACED_WORDS, st.sampled_from(["", "bold", "dim"]))))
def test_lines_of_plain_words_take_no_rich(parts):
    assert render_line(parts, 80) is not None


def test_a_colour_or_wide_sign_is_left_to_rich():
    assert render_line([("broken", "bold red")], 80) is None
    assert render_line([("永", "")], 80) is None
