"""A test that compares what it sees with what an earlier run of it saw."""

REMEMBERING = """
def test_it():
    now = probe()
    try: before = load()
    except Exception: before = ""
    if not before:
        try: save(now)
        except Exception: pass
        return
    if 'LATEST' in globals(): LATEST.append(now)
    assert before == now
"""
"""To be put behind ``probe``, ``save`` and ``load``; keeps what it sees in ``LATEST`` if there is such a list."""
