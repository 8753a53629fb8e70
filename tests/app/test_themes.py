"""Themes: every role reads on its ground, every theme has every role."""

import pytest
from textual.color import Color

from evalforge.app.ui.theme.themes import PALETTES, css_variables, textual_themes

TRUE = {name: palette for name, palette in PALETTES.items() if not palette.ansi}
INKS = ("ash", "dim", "ember", "molten", "steel", "blood", "verdigris")


def luminance(color: Color) -> float:
    """The relative luminance of WCAG 2."""
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(color: Color, other: Color) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    darker, lighter = sorted((luminance(color), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("name", TRUE)
@pytest.mark.parametrize("role", INKS)
def test_an_ink_reads_on_the_ground_and_on_what_is_raised(name, role):
    palette = TRUE[name]
    needed = 7 if name == "anvil" else 4.5
    assert contrast(Color.parse(palette.color(role)), Color.parse(palette.ground)) >= needed
    assert contrast(Color.parse(palette.color(role)), Color.parse(palette.raised)) >= needed - 0.7


@pytest.mark.parametrize("name", TRUE)
@pytest.mark.parametrize("accent", ["#000000", "#ffffff", "#ff00ff", "#16110e", "#f5f0e6"])
def test_any_accent_is_made_to_read(name, accent):
    palette = TRUE[name]
    assert contrast(Color.parse(palette.accent(accent)), Color.parse(palette.ground)) >= 3


def test_the_terminal_theme_uses_only_the_terminals_colours():
    assert all(value.startswith("ansi_") for value in css_variables(PALETTES["terminal"]).values())


def test_there_are_dark_light_stark_and_terminal_themes():
    themes = textual_themes()
    assert list(themes) == ["ember", "quench", "vellum", "anvil", "terminal"]
    assert [themes[name].dark for name in themes] == [True, True, False, True, True]
