"""Classifies the difference between what a trial expected and what it got.

Two programs may fail the same trials in different ways.
"""

import re

# As in: main.py --n 2: expected standard output 'ab\n'; got exit status 0, standard output 'aB\n'.
_EXPECTED_GOT = re.compile(r"expected (?P<expected>.*?); got (?P<got>.*?)\.?$", re.DOTALL)
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_EXCEPTION = re.compile(r"\b([A-Z]\w*(?:Error|Exception|Interrupt|Exit))\b")
_STATUS = re.compile(r"exit status (-?\d+)")
_SPACE, _DIGITS, _LETTERS = re.compile(r"(?:\\[nrt]|\s)+"), re.compile(r"\d+"), re.compile(r"[^\W\d_]+")
_MAX_CHARS = 2_000


def discrepancy(message: str) -> str:
    """Return the kind of difference in a failed trial's message, such as ``digits`` or ``extra output at the end``.

    >>> discrepancy("main.py: expected standard output 'a 1'; got exit status 0, standard output 'a 2'.")
    'digits'
    """
    match = _EXPECTED_GOT.search(message[:_MAX_CHARS])
    if not match:
        return _exception(message) or "other"
    expected, got = match["expected"], match["got"]
    exception = _exception(got)
    if exception:
        return exception
    expected_text, got_text = _last_quoted(expected), _last_quoted(got)
    if expected_text is None and got_text is None:
        statuses = [status.group(1) if status else "" for status in map(_STATUS.search, (expected, got))]
        return f"exit status {statuses[1]} for {statuses[0]}" if all(statuses) else "another value"
    if expected_text is None:
        return "output where none is expected" if got_text else "another value"
    if not got_text:
        return "no output"
    return _text_difference(expected_text, got_text)


def _text_difference(expected: str, got: str) -> str:
    """Return the smallest thing to ignore that makes two texts equal."""
    if got.startswith(expected):
        return "extra output at the end"
    if expected.startswith(got):
        return "missing output at the end"
    if expected.casefold() == got.casefold():
        return "case"
    if _SPACE.sub("", expected) == _SPACE.sub("", got):
        return "spaces"
    if _DIGITS.sub("", expected) == _DIGITS.sub("", got):
        return "digits"
    if _LETTERS.sub("", expected) == _LETTERS.sub("", got):
        return "words"
    return "other text"


def _exception(text: str) -> str:
    match = _EXCEPTION.search(text)
    return match.group(1) if match else ""


def _last_quoted(text: str) -> str | None:
    quotes = _QUOTED.findall(text)
    return (quotes[-1][0] or quotes[-1][1]) if quotes else None
