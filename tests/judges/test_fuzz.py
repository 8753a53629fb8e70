"""Ten thousand replies (``make fuzz``; otherwise as many as the profile says): none breaks the reader."""

import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.judges.test_reply import check, replies

EXAMPLES = int(os.environ.get("EVALFORGE_FUZZ") or settings().max_examples)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(replies(), st.integers(1, 9))
def test_many_replies(text: str, size: int) -> None:
    check(text, size)
