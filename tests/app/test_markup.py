"""Text: lists hang, marks are ours, everything else is shown as written."""

import re
from pathlib import Path

import pytest
from textual.content import Content

from evalforge.app.ui.text.markup import render_markup
from evalforge.app.ui.widgets.text_panel import hang

BOSSES = Path(__file__).parents[2] / "bosses"


@pytest.mark.parametrize(
    ("line", "head"),
    [
        (" 1. one two three", " 1. "), (" 2) one two three", " 2) "), ("  3  one two three", "  3  "),
        ("  - one two three", "  - "), (" ★ one two three", " ★ "), ("  one two three", "  "),
        (" --top N  one two three", " --top N  "),
    ],
)  # fmt: skip
def test_what_follows_a_number_a_mark_or_a_column_hangs_from_it(line, head):
    width = 2 * len(head) + 8
    first, *more = hang(Content(f"{line} four five six"), width).plain.splitlines()
    assert first.startswith(head)
    assert more
    assert all(text.startswith(" " * len(head)) and text[len(head)] != " " for text in more)


@pytest.mark.parametrize("line", ["8 of 11 trials pass", "4 points more than the try before", "So.  It goes on here"])
def test_a_numbered_or_spaced_sentence_has_no_hanging_indent(line):
    assert all(not text.startswith(" ") for text in hang(Content(line), 11).plain.splitlines())


def test_a_column_that_leaves_no_room_is_none():
    assert hang(Content("  a wide column here  one two"), 16).plain == "  a wide column\n  here  one two"


def test_paragraphs_run_together_and_lists_keep_their_lines():
    assert render_markup("one\ntwo\n\n- a\n- b\n").plain == "one two\n\n· a\n· b\n"


def test_code_and_bold_lose_their_marks():
    assert render_markup("use `x = 1` and **care**").plain == "use x = 1 and care\n"


def test_emphasis_is_told_by_style():
    content = render_markup("it is *easy* to lose")
    assert content.plain == "it is easy to lose\n"
    assert [str(span.style) for span in content.spans if content.plain[span.start : span.end] == "easy"] == [
        "italic $ash"
    ]


def test_code_in_bold_loses_its_marks_too():
    content = render_markup("**`--top 0`.** Zero")
    assert content.plain == "--top 0. Zero\n"
    assert [str(span.style) for span in content.spans][:2] == ["bold $steel", "bold $ash"]


@pytest.mark.parametrize(
    "words",
    [
        "2 * 3 * 4",
        "f(*args, **kwargs)",
        "2 ** 3 and 2 ** 4",
        "a*b*c",
        "+ before *, ^ before +",
        "a ` alone",
        "min(2**n, 2**64)",
    ],
)
def test_signs_of_arithmetic_are_no_marks(words):
    assert render_markup(words).plain == f"{words}\n"


def test_no_codex_shows_raw_marks():
    for path in sorted(BOSSES.glob("*/codex/*.md")):
        text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
        assert not re.search(r"\B[*]\w[^*]*\w[*]\B|`[^`]+`", render_markup(text).plain), path


def test_markup_is_only_text():
    assert render_markup("[bold]x[/bold] [@click=app.quit]y[/]").plain == "[bold]x[/bold] [@click=app.quit]y[/]\n"


def test_a_fenced_block_keeps_its_lines():
    assert render_markup("```\na\n  b\n```").plain == "  a\n    b\n"
