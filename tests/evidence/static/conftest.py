"""Reading snippets: ``facts(source)`` or ``facts({path: source, ...})`` gives the facts by name."""

from collections.abc import Callable
from textwrap import dedent

import pytest

from evalforge.evidence.static import read_code
from evalforge.model.evidence import Fact
from evalforge.model.submission import Submission

Sources = str | dict[str, str]


def read(sources: Sources, path: str = "app.py") -> dict[str, Fact]:
    files = {path: sources} if isinstance(sources, str) else sources
    submission = Submission.of({path: dedent(text) for path, text in files.items()})
    return {fact.name: fact for fact in read_code(submission)}


@pytest.fixture(scope="session")
def facts() -> Callable[..., dict[str, Fact]]:
    return read
