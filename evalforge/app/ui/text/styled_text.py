"""Styled text: runs of (text, role), wherever it is put together. Roles become styles at the end, when it is drawn."""

from functools import cache

from textual.content import Content

Run = tuple[str, str]
"""Text, and the role it is drawn in: ``("3 of 6", "bold ember")``; ``on`` and another role give it a ground."""
Runs = tuple[Run, ...]
"""Text, run by run."""
_ATTRIBUTES = frozenset({"bold", "italic", "on"})
"""The words of a role that name no colour."""


def styled(*parts: Run | Content | str) -> Content:
    """Runs, one after the other, as text that Textual wraps and draws in the colours of the theme.

    Args:
        parts: Runs; texts that are styled already or not at all may stand between them.
    """
    return Content.assemble(*((part[0], style_name(part[1])) if isinstance(part, tuple) else part for part in parts))


@cache
def style_name(role: str) -> str:
    """A role as Textual names it, ``bold ember`` as ``bold $ember``; colours such as ``#d9822b`` stay as they are."""
    return " ".join(word if word in _ATTRIBUTES or word.startswith("#") else f"${word}" for word in role.split())
