"""Where the player put the entry is the player's choice."""

import pytest

from evalforge.model.submission import Submission
from evalforge.sandbox.program import Program
from evalforge.submissions.entry import find_entry


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (["tool.py", "src/tool.py"], Program("script", "tool.py")),
        (["a/b/tool.py", "src/tool.py"], Program("script", "src/tool.py")),
        (["tests/tool.py"], None),
        (["tool/__main__.py", "tool/__init__.py"], Program("module", "tool")),
        (["src/tool/__main__.py"], Program("module", "tool")),
        (["deep/down/tool/__main__.py"], Program("script", "deep/down/tool")),
        (["tool/__init__.py", "tool/core.py"], Program("package", "tool")),
        (["src/tool/__init__.py"], Program("package", "tool")),
        (["other.py", "tool.txt"], None),
    ],
)
def test_the_entry_is_found_wherever_it_lies(paths: list[str], found: Program | None) -> None:
    submission = Submission.of(dict.fromkeys(paths, ""))
    assert find_entry(submission, ("tool.py",)) == found
