"""Promises of the scheduler. Run them with: python -m pytest"""

import asyncio

from scheduler import Scheduler


def test_a_result_gets_to_where_it_is_wanted():
    made = Scheduler()
    made.add("double", lambda inputs: 2 * inputs["one"], ["one"])
    made.add("one", lambda inputs: 1)
    assert asyncio.run(made.run()) == {"double": ("done", 2), "one": ("done", 1)}
