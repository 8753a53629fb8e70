"""Styled text: runs of (text, role). Roles become styles only when the text is drawn."""

from functools import cache

from textual.content import Content

Run = tuple[str, str]
"""Text and its role: ``("3 of 6", "bold ember")``; ``on`` and another role set the background."""
Runs = tuple[Run, ...]
"""Text as a sequence of runs."""
_ATTRIBUTES = frozenset({"bold", "italic", "on"})
"""The words of a role that don't name a colour."""


def styled(*parts: Run | Content | str) -> Content:
    """Join runs to text that Textual wraps and draws in the colours of the theme.

    Args:
        parts: Runs; styled or plain texts may be among them.
    """
    return Content.assemble(*((part[0], style_name(part[1])) if isinstance(part, tuple) else part for part in parts))


@cache
def style_name(role: str) -> str:
    """A role in Textual's form, ``bold ember`` as ``bold $ember``; colours such as ``#d9822b`` stay as they are."""
    return " ".join(word if word in _ATTRIBUTES or word.startswith("#") else f"${word}" for word in role.split())
