"""Reads the arguments by hand: a name and, wherever it stands, one option."""

FEWEST, MOST = 1, 99
USUAL = "1"


class RefusedError(Exception):
    """These arguments can't be used; the message says which and why."""


def whole(text):
    """The whole number that a text is."""
    try:
        return int(text)
    except ValueError:
        raise RefusedError(f"--blows: {text!r} is not a whole number") from None


def sorted_out(arguments):
    """What could be names, and the text of the last --blows."""
    names, blows, rest = [], USUAL, iter(arguments)
    for word in rest:
        option, equals, value = word.partition("=")
        if option == "--blows":
            blows = value if equals else next(rest, "")
        elif word.startswith("-") and word != "-":
            raise RefusedError(f"there is no option {word}; NAME or --blows is expected")
        else:
            names.append(word)
    return names, blows


def read(arguments):
    """The name and the number of blows, or a refusal."""
    names, blows = sorted_out(arguments)
    if len(names) != 1:
        raise RefusedError(f"exactly one NAME is expected, not {len(names)}")
    name, number = names[0], whole(blows)
    if not name.strip():
        raise RefusedError("NAME is blank")
    if number < FEWEST or number > MOST:
        raise RefusedError(f"--blows: {number} is not from {FEWEST} to {MOST}")
    return name, number
