"""Reading snippets: ``facts(source)`` or ``facts({path: source, ...})`` gives the facts by name.

No snippet runs. What its trials would show of input and output is marked on the lines that name it plainly.
"""

import re
from collections.abc import Callable
from textwrap import dedent

import pytest

from evalforge.evidence.static import is_test_file, read_code
from evalforge.model.evidence import Fact
from evalforge.model.submission import Submission
from evalforge.sandbox.execution import Execution

Sources = str | dict[str, str]
_STREAMS = re.compile(r"\b(print|input|show|say)\(|\b(stdin|stdout|stderr)\b")
_FILES = re.compile(r"\b(open|read_text|write_text|read_bytes|write_bytes|unlink|mkdir|iterdir|run|connect)\(")


def read(sources: Sources, path: str = "app.py") -> dict[str, Fact]:
    files = {path: sources} if isinstance(sources, str) else sources
    submission = Submission.of({path: dedent(text) for path, text in files.items()})
    texts = {file.path: file.content for file in submission.files if not is_test_file(file.path)}
    execution = Execution(
        lines={path: frozenset({0}) for path in texts if path.endswith(".py")},
        touched={path: _lines_with(_FILES, text) for path, text in texts.items()},
        streamed={path: _lines_with(_STREAMS, text) for path, text in texts.items()},
        has_worked=False,
    )
    return {fact.name: fact for fact in read_code(submission, execution)}


def _lines_with(pattern: re.Pattern[str], text: str) -> frozenset[int]:
    lines = enumerate(text.splitlines(), start=1)
    return frozenset(number for number, line in lines if pattern.search(line) and not line.strip().startswith("def "))


@pytest.fixture(scope="session")
def facts() -> Callable[..., dict[str, Fact]]:
    return read
