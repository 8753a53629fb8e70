"""The current look: palette, signs and motion, which every widget finds on the app."""

from typing import NamedTuple

from textual.app import App
from textual.dom import DOMNode

from evalforge.app.ui.theme.glyphs import UNICODE, Glyphs
from evalforge.app.ui.theme.motion import Motion
from evalforge.app.ui.theme.themes import DEFAULT_THEME, PALETTES, Palette


class Look(NamedTuple):
    """Everything a widget needs to draw itself. Equal looks draw alike, so a look can be a cache key."""

    palette: Palette = PALETTES[DEFAULT_THEME]
    glyphs: Glyphs = UNICODE
    motion: Motion = Motion.FULL


_DEFAULT = Look()


def look(node: DOMNode) -> Look:
    """The look of the app that a node is in; the default look in any other app."""
    own_look = getattr(app_of(node), "look", _DEFAULT)
    return own_look if isinstance(own_look, Look) else _DEFAULT


def app_of(node: DOMNode) -> App[object]:
    """The app of a node, typed."""
    return node.app  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
