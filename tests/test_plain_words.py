"""What people read is plain English: words that players had to guess stay out of the program, its packs and its docs.

Lore, attacks, hints and riddles keep a voice of their own.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import REPOSITORY

GUESSED = re.compile(
    r"""
    \b(?:
        (?<!unless\ )told | told\ apart | tell(?:s|ing)? (?!\s*$|\ good$|\ [\w`']+(?:\ [\w`']+){0,2}\ from\b) | speaks
      | (?<!still\ )stands (?!\ still|\ (?:at|below|above)\b|\ for\b|\ in\ for\b)
      | hand(?:s|ed)?\ out | never\ mind | came\ (?:back|of) | reckon(?:s|ed|ing)?
      | can't\ be\ had | passed\ over | the\ way\ here | whole\ truth | by\ your\ hours | the\ other\ way\ round
      | nobody\ is\ asked | never\ came
    )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Words that stood where the field has a plainer one."""
SUSPECTS = re.compile(r"\b(?:perhaps|may be|might be) (?:because|due to)\b", re.IGNORECASE)
"""Guesses at a cause; a message says what was measured."""
VOICED = frozenset(
    {"lore", "attacks", "attack", "tagline", "long_description", "hints", "nudge", "riddle", "label", "name"}
)
"""Keys of packs whose texts have a voice of their own."""
VERBATIM = frozenset({"change", "says", "id", "owner", "fact", "check", "entry_files"})
"""Keys of packs that hold code, names, or the words of another text, which are read there."""
LORE = (
    "evalforge/app/teaching/",
    "evalforge/progress/achievements",
    "evalforge/reports/card.py",
    "evalforge/llm/prompt",
)
"""Modules whose strings are said in the game's voice, or to a model."""

Text = tuple[int, str]
"""A line number and what is read there."""


def strings(source: str) -> Iterator[Text]:
    """Every string of a module with a blank in it, its docstrings left out."""
    tree = ast.parse(source)
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip()
        if is_text and id(node) not in docs:
            yield node.lineno, node.value


def titles_and_messages(source: str) -> Iterator[Text]:
    """What a player reads of a module of trials: its strings, and the docstrings of trials, which are their titles."""
    yield from strings(source)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.lineno, ast.get_docstring(node) or ""


def pack_texts(content: Any) -> Iterator[Text]:
    """The texts of a pack's YAML file that have no voice of their own."""
    if isinstance(content, dict):
        for key, value in content.items():
            if key not in VOICED | VERBATIM:
                yield from pack_texts(value)
    elif isinstance(content, list):
        for value in content:
            yield from pack_texts(value)
    elif isinstance(content, str):
        yield 0, content


def document_lines(text: str) -> Iterator[Text]:
    """The lines of a document."""
    return iter(enumerate(text.splitlines(), 1))


def found(path: Path, texts: Iterator[Text]) -> list[str]:
    """Each guessed word with its place."""
    where = path.relative_to(REPOSITORY).as_posix()
    hits = ((line, match) for line, text in texts for kind in (GUESSED, SUSPECTS) for match in kind.finditer(text))
    return [f"{where}:{line}: {match[0]!r} in ...{_around(match)}..." for line, match in hits]


def _around(match: re.Match[str]) -> str:
    return " ".join(match.string[max(0, match.start() - 40) : match.end() + 40].split())


def test_the_program_has_no_word_that_must_be_guessed() -> None:
    modules = sorted((REPOSITORY / "evalforge").rglob("*.py"))
    read = [path for path in modules if not path.relative_to(REPOSITORY).as_posix().startswith(LORE)]
    assert len(read) > 300
    assert not [hit for path in read for hit in found(path, strings(path.read_text("utf-8")))]


BOSSES = sorted(path for path in (REPOSITORY / "bosses").iterdir() if (path / "boss.yaml").is_file())


@pytest.mark.parametrize("boss", BOSSES, ids=lambda path: path.name)
def test_a_boss_has_no_word_that_must_be_guessed(boss: Path) -> None:
    hits: list[str] = []
    for path in (*boss.glob("*.yaml"), boss / "impostors" / "impostors.yaml"):
        hits += found(path, pack_texts(yaml.safe_load(path.read_text("utf-8"))))
    for path in (boss / "trials").rglob("*.py"):
        hits += found(path, titles_and_messages(path.read_text("utf-8")))
    for path in (boss / "codex" / "strategy.md", boss / "starter" / "README.md"):
        hits += found(path, document_lines(path.read_text("utf-8")))
    assert not hits


def test_documents_have_no_word_that_must_be_guessed() -> None:
    pages = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
    assert not [hit for path in pages for hit in found(path, document_lines(path.read_text("utf-8")))]


@pytest.mark.parametrize(
    ("text", "is_guessed"),
    [
        ("The error is told where it is.", True),
        ("A ParseError stands where it begins.", True),
        ("Whatever came back is printed.", True),
        ("Tell a torn end from damage.", False),
        ("A clock that stands still.", False),
        ("Nothing is written to standard output.", False),
    ],
)
def test_guessed_words_are_known_by_their_use(text: str, is_guessed: bool) -> None:
    assert bool(GUESSED.search(text)) is is_guessed
