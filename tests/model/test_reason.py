"""A reason as data: what trials say becomes called, expected and got."""

import pytest

from evalforge.model.reason import Example, Reason, difference


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("dummy.py --blows 0: expected exit status 2; got 0.", ("dummy.py --blows 0", "exit status 2", "0")),
        ("expected False for f('a', 1), again; it raised OSError", ("f('a', 1), again", "False", "raised OSError")),
        (
            "expected 90 calls of f, one for each key, in 0.7 s; only 12 were done",
            ("", "90 calls of f, one for each key, in 0.7 s", "only 12 were done"),
        ),
        ("expected 2 for f('a') when free for a while; got 3", ("f('a') when free for a while", "2", "3")),
        ("expected [2, 3] for 2 times f('a') at 7; got []", ("2 times f('a') at 7", "[2, 3]", "[]")),
        ("expected OSError from f('a') when it sleeps; it returned", ("f('a') when it sleeps", "OSError", "returned")),
        ("expected 0, 2 at most, after f('a') was refused; got 3", ("after f('a') was refused", "0, 2 at most", "3")),
        ("expected 1 attempt with deadline=8; got 2", ("with deadline=8", "1 attempt", "2")),
        ("expected [1] of a (2 s, after b(1)); got 3", ("", "[1] of a (2 s, after b(1))", "3")),
        ("expected no trace after it was refused; got one", ("", "no trace after it was refused", "one")),
        ("Expected 2; got 3; and that is odd", ("", "2", "3; and that is odd")),
        ("expected one rename of a new file; none was seen", ("", "one rename of a new file", "none was seen")),
        (
            "The file is empty: expected exit status 1 and words; got a traceback. It ended in TypeError at a.py:6.",
            ("The file is empty", "exit status 1 and words", "a traceback. It ended in TypeError at a.py:6"),
        ),
        ("KeyError escaped at store.py:4, from put('a')", ("put('a')", "", "KeyError escaped at store.py:4")),
        ("timed out after 2.0 s", ("", "", "timed out after 2.0 s")),
        ("", ("", "", "")),
    ],
)
def test_what_a_trial_says_becomes_an_example(message: str, parts: tuple[str, str, str]) -> None:
    example = Example.of_message(message, "It holds.")
    assert (example.called, example.expected, example.got) == parts


def test_only_what_there_is_has_a_row() -> None:
    example = Example(trial="It holds.", expected="2", got="3", path="a.py", line=6)
    assert example.rows == (("expected", "2"), ("got", "3"), ("ended at", "a.py:6"))
    told = Example(trial="It holds.", got="a traceback at a.py:6", path="a.py", line=6)
    assert told.rows == (("got", "a traceback at a.py:6"),)


@pytest.mark.parametrize("called", ["dummy.py Squire", "--input a.json", "post('a', 1), the same again"])
def test_a_call_is_told_from_a_description(called: str) -> None:
    assert Example(trial="It holds.", called=called).rows == (("called", called),)
    for case in (
        "An empty file",
        "size=2; a success (during it: a wait)",
        "after put('a') was refused",
        "with deadline=8 and sleep(1)",
    ):
        assert Example(trial="It holds.", called=case).rows == (("case", case),)


@pytest.mark.parametrize(
    ("expected", "got", "parts"),
    [
        ("'two  spaces'", "'two spaces'", (" ", "")),
        ("exit status 2", "exit status 10", ("2", "10")),
        ("STABLE", "", ("STABLE", "")),
        ("['a', 'b']", "['a', 'b', 'c']", ("", ", 'c'")),
        ("nothing", "'Thwack!'", ("nothing", "'Thwack!'")),
    ],
)
def test_what_differs_is_found(expected: str, got: str, parts: tuple[str, str]) -> None:
    of_expected, of_got = difference(expected, got)
    assert (expected[of_expected], got[of_got]) == parts


@pytest.mark.parametrize(
    ("failed", "total", "words"),
    [
        (0, 5, ""),
        (1, 1, "The only trial fails."),
        (2, 2, "Both trials fail."),
        (3, 3, "All 3 trials fail."),
        (1, 4, "1 of 4 trials fails."),
        (2, 4, "2 of 4 trials fail."),
    ],
)
def test_failed_trials_are_counted(failed: int, total: int, words: str) -> None:
    reason = Reason(cause="It is wrong.", failed=failed, total=total)
    assert reason.count_words == words
    assert reason.headline == f"It is wrong. {words}".strip()


def test_trials_without_an_example_are_counted() -> None:
    examples = (Example(trial="One."), Example(trial="Two."))
    assert Reason(cause="", failed=6, total=9, examples=examples).more_words == "and 4 more"
    assert Reason(cause="", failed=2, total=9, examples=examples).more_words == ""
    assert Reason(cause="", failed=2, total=9).more_words == ""
