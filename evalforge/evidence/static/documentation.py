"""Docstrings: which public functions and classes that are used have one that is about the code.

A docstring shares words with its code: those of a name, a parameter, a message. A single one may not, but if hardly any
of many does, they are only there to be counted. In other languages names may be English and sentences not, so only
English docstrings are checked.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import Module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import Scope, docstring_of, simple_name

_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]{2}")
_REPEATERS = frozenset({"overload", "setter", "deleter", "override"})
_LOOKUPS = frozenset({"__getattr__", "__getattribute__"})
_MAX_SAME_DOCSTRINGS = 2
"""A function and its async twin may share a docstring; one that fits everything describes nothing."""
_WORD_OF_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
"""Matches a word in ``get_or_load``, ``RateLimiter`` or a sentence."""
_MIN_WORD_CHARS = 3
_STEM_CHARS = 5  # expire, expired, expiration
_MIN_DOCSTRINGS = 6
_MAX_RELATED_SHARE = 1 / 3
_ENGLISH_WORDS = frozenset({"the", "and", "with", "from", "that", "which", "this"})
_MIN_ENGLISH_SHARE = 0.2


def public_docstrings(program: Program) -> Iterator[tuple[bool, Observation]]:
    """Whether it has a docstring of its own, for every public function and class that is used.

    A class is used if one of its methods is.
    """
    public = [(module, scope) for module, scope in program.scopes if _is_public(module, scope)]
    repeats = Counter(_docstring(scope) for _, scope in public)
    docstrings = [text for text in repeats.elements() if text]
    is_about_else = _are_about_something_else(docstrings, [module.text for module in program.modules])
    used = {around for module, scope in program.functions if module.was_called(scope) for around in scope.enclosing()}
    for module, scope in public:
        if scope not in used:
            continue
        kind = "function" if scope.function else "class"
        text = _docstring(scope)
        lack = ""
        if not text:
            lack = "without a docstring"
        elif repeats[text] > _MAX_SAME_DOCSTRINGS:
            lack = "with the docstring of many others"
        elif is_about_else:
            lack = "with a docstring that is not about the code, like most here"
        yield not lack, Observation(module.path, scope.line, f"is a public {kind} {lack}", scope.name)


def _docstring(scope: Scope) -> str:
    """The docstring in lower case and without numbers; empty if there is none."""
    docstring = docstring_of(scope.node)
    text = str(getattr(docstring.value, "value", "")) if docstring is not None else ""
    return " ".join(_LETTERS.findall(text.lower())) if _WORD.search(text) else ""


def _is_public(module: Module, scope: Scope) -> bool:
    """Whether users of the module see it: not private, not in a function, not a mere overload."""
    for around in scope.enclosing():
        is_private = around.last_name.startswith("_") and not _is_published(module, around)
        if is_private or (around is not scope and around.function is not None):
            return False
    return scope.parent is not None and not (scope.function is not None and _repeats(scope))


def _is_published(module: Module, scope: Scope) -> bool:
    """Whether a private name can be reached by a public one: it was assigned, or its class looks names up."""
    siblings = {other.last_name for other in module.functions if other.parent is scope.parent}
    is_looked_up = scope.is_method and scope.last_name[:2] != "__" and not _LOOKUPS.isdisjoint(siblings)
    return is_looked_up or scope.name in module.published_names


def _repeats(function: Scope) -> bool:
    """Whether it is an overload or a setter, which are documented by the function that they belong to."""
    return not _REPEATERS.isdisjoint(map(simple_name, function.decorators))


def _are_about_something_else(docstrings: Collection[str], texts: Iterable[str]) -> bool:
    """Whether hardly any of a program's docstrings shares a word with the rest of its text.

    Args:
        docstrings: The docstrings of everything public.
        texts: The texts of the program's files.
    """
    english_count = sum(not _ENGLISH_WORDS.isdisjoint(text.split()) for text in docstrings)
    if len(docstrings) < _MIN_DOCSTRINGS or english_count < _MIN_ENGLISH_SHARE * len(docstrings):
        return False
    stems = Counter(stem for text in texts for stem in _stems(text))
    stems -= Counter(stem for text in docstrings for stem in _stems(text))
    related_count = sum(any(stem in stems for stem in _stems(text)) for text in docstrings)
    return related_count <= _MAX_RELATED_SHARE * len(docstrings)


def _stems(text: str) -> list[str]:
    words = (word.lower() for word in _WORD_OF_NAME.findall(text))
    return [word[:_STEM_CHARS] for word in words if len(word) >= _MIN_WORD_CHARS and word not in _ENGLISH_WORDS]
