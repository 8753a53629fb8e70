"""Words with code in them, cell by cell: nothing is lost, nothing is too wide, no mark is left."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from evalforge.app.ui.widgets.inline_code import fit_runs, mark_code, wrap_runs

WORDS = st.lists(st.sampled_from(["plain", "`code`", "**bold**", "竜", "a", "`of two`", "furnace_controller.py:18."]))


def plain(runs) -> str:
    return "".join(text for text, _ in runs)


def test_code_is_told_by_its_role_and_not_by_its_marks():
    assert mark_code("`not x` became `x`", "dim") == (("not x", "steel"), (" became ", "dim"), ("x", "steel"))
    assert mark_code("**now**", "ash") == (("now", "bold ash"),)


@given(WORDS, st.integers(1, 60))
def test_a_line_that_is_cut_is_exactly_as_wide_as_asked(words, width):
    assert cell_len(plain(fit_runs(mark_code(" ".join(words), "ash"), width))) == width


@given(WORDS, st.integers(28, 60))
def test_wrapped_words_are_all_there_and_no_line_is_too_wide(words, width):
    runs = mark_code(" ".join(words), "ash")
    lines = wrap_runs(runs, width, 1_000)
    assert all(cell_len(plain(line)) <= width for line in lines)
    assert " ".join(plain(line) for line in lines).split() == plain(runs).split()


@given(WORDS, st.integers(8, 30), st.integers(1, 3))
def test_no_more_lines_are_told_than_asked_for(words, width, most):
    lines = wrap_runs(mark_code(" ".join(words), "ash"), width, most)
    assert len(lines) <= most
    assert all(cell_len(plain(line)) <= width for line in lines)
