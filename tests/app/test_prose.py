"""Text: lists hang, marks are ours, everything else is shown as written."""

from textual.content import Content

from evalforge.app.prose import told
from evalforge.app.widgets.panel import hang


def test_what_follows_a_number_hangs_from_it():
    assert hang(Content(" 1 one two three"), 10).plain == " 1 one two\n   three"


def test_a_sentence_that_begins_with_a_number_does_not_hang():
    assert hang(Content("8 of 11 trials"), 8).plain == "8 of 11\ntrials"


def test_paragraphs_run_together_and_lists_keep_their_lines():
    assert told("one\ntwo\n\n- a\n- b\n").plain == "one two\n\n· a\n· b\n"


def test_code_and_bold_lose_their_marks():
    assert told("use `x = 1` and **care**").plain == "use x = 1 and care\n"


def test_markup_is_only_text():
    assert told("[bold]x[/bold] [@click=app.quit]y[/]").plain == "[bold]x[/bold] [@click=app.quit]y[/]\n"


def test_a_fenced_block_keeps_its_lines():
    assert told("```\na\n  b\n```").plain == "  a\n    b\n"
