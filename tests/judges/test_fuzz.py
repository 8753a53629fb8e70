"""Ten thousand replies (``make fuzz``; a few hundred otherwise): none breaks the reader or moves a total."""

import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.judges.test_reply import check, replies

EXAMPLES = int(os.environ.get("EVALFORGE_FUZZ", "400"))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(replies(), st.integers(1, 9))
def test_many_replies(text: str, size: int) -> None:
    check(text, size)
