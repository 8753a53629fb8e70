"""From text to tokens, character by character and never further than the reader has come."""

from string import ascii_letters, digits
from typing import NamedTuple

from sphinx.errors import ParseError

BLANKS = " \t\r\n"
SIGNS = "+-*/%^(),"
LETTERS = ascii_letters + "_"


class Token(NamedTuple):
    """A piece of the text. The kind of a sign is the sign itself."""

    kind: str
    text: str
    position: int


def scan(text):
    """Yield the tokens of a text, and last of all its end."""
    position = past(text, 0, BLANKS)
    while position < len(text):
        kind, end = measure(text, position)
        yield Token(kind, text[position:end], position)
        position = past(text, end, BLANKS)
    yield Token("end", "the end", position)


def past(text, position, characters):
    """Return the position behind a run of characters."""
    while position < len(text) and text[position] in characters:
        position += 1
    return position


def measure(text, start):
    """Return the kind of the token that begins here, and where it ends."""
    first = text[start]
    if first in digits:
        return "number", past_number(text, start)
    if first in LETTERS:
        return "name", past(text, start, LETTERS + digits)
    if first in SIGNS:
        return first, start + 1
    raise ParseError(start, f"nothing begins with {first!r}")


def past_number(text, start):
    """Return the position behind a number."""
    whole = past(text, start, digits)
    fraction = past_tail(text, whole, ".", "")
    return past_tail(text, fraction, "eE", "+-")


def past_tail(text, start, marks, signs):
    """Return the position behind a mark, perhaps a sign, and digits; or the start, where they are not complete."""
    if start == len(text) or text[start] not in marks:
        return start
    begin = start + 1
    if begin < len(text) and text[begin] in signs:
        begin += 1
    end = past(text, begin, digits)
    return end if end > begin else start
