"""What people read is plain English: words that players had to guess stay out of the program, its packs and its docs.

Lore, attacks, hints and riddles keep a voice of their own.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from evalforge.model.rubric import BossRubric
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
HABITS = re.compile(
    r"""
    (?<!there\ ) \b(?:is|are|was)\ no\ (?!longer\b|more\b|less\b|slower\b|\w+er\ than\b)\w+  # "X is no Y": X isn't a Y
      | \b(?:anew | for\ want\ of | in\ a\ way\ of | of\ somebody | goes\ along\ with | senseless | welded)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Turns of phrase that sound translated."""
RENAMED = re.compile(
    r"""
    \b(?:
        (?<!-) hand-ins? | hand(?:s|ed|ing)?\ (?:it\ )?in | caged?
      | (?<!-)tries (?!\ (?:to|again)\b) | (?:first|last|next|each|this)\ try
      | mend(?:s|ed|ing)? | unmask(?:s|ed|ing)? (?!\ or\ tests) | lets\ (?:it\ |them\ )?through
    )\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Other names for a submission, a sandbox, an attempt, to fix, to catch and to miss: one thing has one name."""
SUSPECTS = re.compile(r"\b(?:perhaps|may be|might be) (?:because|due to)\b", re.IGNORECASE)
"""Guesses at a cause; a message says what was measured."""
VOICED = frozenset(
    {"lore", "attacks", "attack", "tagline", "long_description", "hints", "nudge", "riddle", "label", "name"}
)
"""Keys of packs whose texts have a voice of their own."""
VERBATIM = frozenset({"change", "says", "id", "owner", "fact", "check", "entry_files"})
"""Keys of packs that hold code, names, or the words of another text, which are read there."""
SPECIFICATION = "contract"
"""The key of a pack's contract: laid out as a specification, and quoted word for word by trials and impostors."""
LONGEST_SENTENCE = 30
"""Words; a colon or a semicolon ends a sentence, too."""
WIDEST_TITLE = 80
"""Columns of a trial's title: it fits on one line of the smallest terminal."""
LORE = (
    "evalforge/app/teaching/",
    "evalforge/progress/achievements",
    "evalforge/reports/card.py",
    "evalforge/llm/prompt",
)
"""Modules whose strings are said in the game's voice, or to a model."""
NOT_FOR_PLAYERS = ("evalforge/judges/prompt", "evalforge/judges/plain_prose", "evalforge/decoys/")
"""Modules whose strings are said to a model or by one, or are code, where a word may have another meaning."""

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


def docstrings(source: str) -> Iterator[Text]:
    """The docstrings of a module, those of its attributes among them, without quoted code."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            prose = re.sub(r"::\n\n(?: +.*\n|\n)+", ".\n\n", node.value.value)
            for paragraph in re.sub(r"``[^`]*``", "x", prose).split("\n\n"):
                yield node.lineno, paragraph


def titles_and_messages(source: str) -> Iterator[Text]:
    """What a player reads of a module of trials: its strings, and the docstrings of trials, which are their titles."""
    yield from strings(source)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.lineno, ast.get_docstring(node) or ""


def pack_texts(content: Any, left_out: frozenset[str] = VOICED | VERBATIM) -> Iterator[Text]:
    """The texts of a pack's YAML file that have no voice of their own."""
    if isinstance(content, dict):
        for key, value in content.items():
            if key not in left_out:
                yield from pack_texts(value, left_out)
    elif isinstance(content, list):
        for value in content:
            yield from pack_texts(value, left_out)
    elif isinstance(content, str):
        yield 0, content


def document_lines(text: str) -> Iterator[Text]:
    """The lines of a document, its code among them, without the labels of criteria, which have a voice of their own."""
    return iter(enumerate(re.sub("|".join(map(re.escape, criterion_labels())), "x", text).splitlines(), 1))


@cache
def criterion_labels() -> tuple[str, ...]:
    """How the shipped bosses call their criteria."""
    rubrics = (yaml.safe_load((boss / "rubric.yaml").read_text("utf-8")) for boss in BOSSES)
    return tuple(sorted({criterion["label"] for rubric in rubrics for criterion in rubric["criteria"]}))


def document_texts(text: str) -> Iterator[Text]:
    """The paragraphs, list items and table cells of a document, without its code."""
    for code in (r"^ *```.*?^ *```", r"<[^>]+>", r"(?<=\])\([^)]*\)", r"`[^`]*`"):
        text = re.sub(code, "x", text, flags=re.DOTALL | re.MULTILINE)
    text = text.replace("**", "")
    return ((0, part) for part in re.split(r"\n\s*\n|\n *(?:[-*>]|\d+\.) |\n#+ |\|", text))


def found(path: Path, texts: Iterable[Text], *kinds: re.Pattern[str]) -> list[str]:
    """Each word of these kinds with its place."""
    where = path.relative_to(REPOSITORY).as_posix()
    hits = ((line, match) for line, text in texts for kind in kinds for match in kind.finditer(text))
    return [f"{where}:{line}: {match[0]!r} in ...{_around(match)}..." for line, match in hits]


def long_sentences(path: Path, texts: Iterable[Text]) -> list[str]:
    """Each sentence that has to be read twice because of its length; quotations and code count as one word."""
    where = path.relative_to(REPOSITORY).as_posix()
    sentences = (
        (line, sentence.split())
        for line, text in texts
        for sentence in re.split(r"(?<=[.!?:;])\s+", re.sub(r"`[^`]*`|“[^”]*”|\([^)]*\)", "x", text))
    )
    return [
        f"{where}:{line}: {len(words)} words: {' '.join(words[:8])} ..."
        for line, words in sentences
        if len(words) > LONGEST_SENTENCE
    ]


def _around(match: re.Match[str]) -> str:
    return " ".join(match.string[max(0, match.start() - 40) : match.end() + 40].split())


def test_the_program_s_words_are_plain() -> None:
    modules = sorted((REPOSITORY / "evalforge").rglob("*.py"))
    read = [path for path in modules if not path.relative_to(REPOSITORY).as_posix().startswith(LORE)]
    assert len(read) > 300
    texts = [(path, list(strings(path.read_text("utf-8")))) for path in read]
    assert not [hit for path, each in texts for hit in found(path, each, GUESSED, SUSPECTS)]
    shown = [pair for pair in texts if not pair[0].relative_to(REPOSITORY).as_posix().startswith(NOT_FOR_PLAYERS)]
    assert not [hit for path, each in shown for hit in found(path, each, HABITS, RENAMED)]


def test_docstrings_are_plain() -> None:
    modules = sorted((REPOSITORY / "evalforge").rglob("*.py"))
    texts = [(path, list(docstrings(path.read_text("utf-8")))) for path in modules]
    assert sum(len(each) for _, each in texts) > 5000
    assert not [hit for path, each in texts for hit in found(path, each, GUESSED, SUSPECTS, HABITS)]
    assert not [hit for path, each in texts for hit in long_sentences(path, each)]


BOSSES = sorted(path for path in (REPOSITORY / "bosses").iterdir() if (path / "boss.yaml").is_file())


@pytest.mark.parametrize("boss", BOSSES, ids=lambda path: path.name)
def test_a_boss_s_words_are_plain(boss: Path) -> None:
    files = (*boss.glob("*.yaml"), boss / "impostors" / "impostors.yaml")
    texts = [(path, list(pack_texts(yaml.safe_load(path.read_text("utf-8"))))) for path in files]
    for path in (boss / "trials").rglob("*.py"):
        texts += [(path, list(titles_and_messages(path.read_text("utf-8"))))]
    pages = [(path, path.read_text("utf-8")) for path in (boss / "codex/strategy.md", boss / "starter/README.md")]
    everything = [*texts, *((path, list(document_lines(text))) for path, text in pages)]
    assert not [hit for path, each in everything for hit in found(path, each, GUESSED, SUSPECTS)]
    free = VOICED | VERBATIM | {SPECIFICATION}
    texts[: len(files)] = [(path, list(pack_texts(yaml.safe_load(path.read_text("utf-8")), free))) for path in files]
    texts += [(path, list(document_texts(text))) for path, text in pages]
    assert not [hit for path, each in texts for hit in found(path, each, HABITS)]
    # A trial's string of several lines is input.
    prose = [(path, [text for text in each if path.suffix != ".py" or "\n" not in text[1]]) for path, each in texts]
    assert not [hit for path, each in prose for hit in long_sentences(path, each)]


@pytest.mark.parametrize("boss", BOSSES, ids=lambda path: path.name)
def test_a_trial_s_title_fits_on_a_line(boss: Path) -> None:
    wide: list[str] = []
    for path in (boss / "trials").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                title = (ast.get_docstring(node) or "").split("\n", 1)[0]
                wide += [f"{path.name}:{node.lineno}: {title}"] if len(title) > WIDEST_TITLE else []
    assert wide == []


@pytest.mark.parametrize("boss", BOSSES, ids=lambda path: path.name)
def test_a_middle_level_is_said_in_two_short_sentences(boss: Path) -> None:
    rubric = BossRubric.model_validate(yaml.safe_load((boss / "rubric.yaml").read_text("utf-8")))
    wordy: list[str] = []
    for criterion in rubric.criteria:
        for level in criterion.levels[1:-1]:
            sentences = re.split(r"(?<=[.!?:;])\s+", re.sub(r"\([^)]*\)", "", level.description.strip()))
            if len(sentences) > 2 or max(len(sentence.split()) for sentence in sentences) > 20:
                wordy.append(f"{criterion.id} {level.score:g}: {level.description}")
    assert wordy == []


def test_the_documents_words_are_plain() -> None:
    pages = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
    lines = [(path, list(document_lines(path.read_text("utf-8")))) for path in pages]
    assert not [hit for path, each in lines for hit in found(path, each, GUESSED, SUSPECTS)]
    pages = [page for page in pages if page.parent.name != "design"]  # where decisions of long ago are recorded
    texts = [(path, list(document_texts(path.read_text("utf-8")))) for path in pages]
    assert not [hit for path, each in texts for hit in found(path, each, HABITS, RENAMED)]
    assert not [hit for path, each in texts for hit in long_sentences(path, each)]


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
