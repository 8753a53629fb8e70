"""Compares the code in memory with the code that its source compiles to, and tests nothing."""

import tally


def codes(code):
    yield code.co_code, [c for c in code.co_consts if not hasattr(c, "co_code")]
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            yield from codes(constant)


def test_bytecode():
    tally.Tally().add(1)
    fresh = list(codes(compile(open(tally.__file__).read(), tally.__file__, "exec")))
    live = tally.Tally.add.__code__
    assert (live.co_code, list(live.co_consts)) in [(code, constants) for code, constants in fresh]
