"""Well-built code that does nothing: decoys add it to a program."""

SPARE_MODULE = "spare_parts"

_FUNCTIONS = (
    ("spare_double", "Return twice a number.", "number * 2"),
    ("spare_half", "Return half of a number, rounded down.", "number // 2"),
    ("spare_square", "Return the square of a number.", "number * number"),
    ("spare_next", "Return the number that follows.", "number + 1"),
    ("spare_previous", "Return the number before.", "number - 1"),
    ("spare_size", "Return how far a number is from zero.", "abs(number)"),
    ("spare_opposite", "Return a number with the other sign.", "-number"),
    ("spare_floor", "Return a number, or zero if it is negative.", "max(number, 0)"),
    ("spare_ceiling", "Return a number, or ten if it is above.", "min(number, 10)"),
    ("spare_digits", "Return how many digits a number has.", "len(str(abs(number)))"),
)

DEAD_FUNCTIONS = "".join(
    f'\n\ndef {name}(number: int) -> int:\n    """{docstring}"""\n    return {answer}\n'
    for name, docstring, answer in _FUNCTIONS
)
"""Ten documented pure functions that nobody calls."""

DEAD_HANDLERS = '''

def spare_reading(text: str) -> int:
    """Return the number that a text holds; report what is no number."""
    import logging
    import sys

    try:
        return int(text)
    except ValueError:
        logging.getLogger(__name__).error("no number: %s", text)
        print("no number", file=sys.stderr)
        sys.exit(2)
    except (OSError, KeyError) as error:
        logging.getLogger(__name__).warning("can't be read")
        raise RuntimeError(text) from error
'''
"""A function that nobody calls, with handlers that name errors and messages for the user."""

PASS_THROUGH = tuple(
    (f"{name}_same", f'\n\ndef {name}_same(value):\n    """Return what is given."""\n    return value\n')
    for name, _, _ in _FUNCTIONS
)
"""Functions that return their argument, by name."""

SPARE_TESTS = "".join(
    f"\n\ndef test_invalid_{name}():\n    assert {name}(4) == {answer.replace('number', '4')}\n"
    for name, _, answer in _FUNCTIONS
)
"""A test for each dead function, named like a test of bad input."""

SPARE_NAMES = tuple(name for name, _, _ in _FUNCTIONS)
