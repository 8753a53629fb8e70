"""Docstrings that have nothing to do with the program, such as sentences about the weather.

A docstring shares words with its code: those of a name, a parameter, a message. A single one may not, but if hardly any
of many does, they are only there to be counted. In other languages names may be English and sentences not, so only
English docstrings are checked.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
"""Matches a word in ``get_or_load``, ``RateLimiter`` or a sentence."""
_MIN_WORD_CHARS = 3
_STEM_CHARS = 5  # expire, expired, expiration
_MIN_DOCSTRINGS = 6
_MAX_RELATED_SHARE = 1 / 3
_ENGLISH_WORDS = frozenset({"the", "and", "with", "from", "that", "which", "this"})
_MIN_ENGLISH_SHARE = 0.2


def are_about_something_else(docstrings: Collection[str], trees: Iterable[ast.Module]) -> bool:
    """Whether hardly any of a program's docstrings shares a word with its code.

    Args:
        docstrings: The docstrings of everything public.
        trees: The syntax trees of the program's files.
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
    """Every name in a file, and every text other than docstrings."""
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
