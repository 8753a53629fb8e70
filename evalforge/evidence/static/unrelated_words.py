"""Docstrings of a program that are about something else: sentences about the weather.

A docstring of code uses words that the code uses: of a name, a parameter, a message. One may do without; when hardly
any of many does, they are there to be counted. In other languages names may well be English and sentences not, so
only English ones are looked at.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
"""A word of ``get_or_load``, ``RateLimiter`` or a sentence."""
_MIN_WORD_CHARS = 3
_STEM_CHARS = 5  # expire, expired, expiration
_MIN_DOCSTRINGS = 6
_MAX_RELATED_SHARE = 1 / 3
_ENGLISH_WORDS = frozenset({"the", "and", "with", "from", "that", "which", "this"})
_MIN_ENGLISH_SHARE = 0.2


def are_about_something_else(docstrings: Collection[str], trees: Iterable[ast.Module]) -> bool:
    """Whether hardly any of a program's docstrings has a word in common with its code.

    Args:
        docstrings: The docstrings of all that is public.
        trees: The program's files.
    """
    if len(docstrings) < _MIN_DOCSTRINGS or not all(text.isascii() for text in docstrings):
        return False
    english_count = sum(not _ENGLISH_WORDS.isdisjoint(text.lower().split()) for text in docstrings)
    if english_count < _MIN_ENGLISH_SHARE * len(docstrings):
        return False
    code_stems = _stems(text for tree in trees for text in _texts(tree)) - _ENGLISH_WORDS
    related_count = sum(not code_stems.isdisjoint(_stems([text])) for text in docstrings)
    return related_count <= _MAX_RELATED_SHARE * len(docstrings)


def _stems(texts: Iterable[str]) -> frozenset[str]:
    words = (word.lower() for text in texts for word in _WORD.findall(text))
    return frozenset(word[:_STEM_CHARS] for word in words if len(word) >= _MIN_WORD_CHARS)


def _texts(tree: ast.Module) -> Iterator[str]:
    """Every name in a file, and every text that is no docstring."""
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in statements:
                yield text
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.alias(name=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case _:
                pass
