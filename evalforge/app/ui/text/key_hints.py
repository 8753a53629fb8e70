"""What can be pressed now: in the order of what a screen is for, and written as the game writes keys."""

from typing import NamedTuple, Protocol, runtime_checkable

from textual.binding import ActiveBinding, Binding
from textual.screen import Screen

from evalforge.app.ui.theme.look import app_of, look

_PALETTE = "command_palette"
_UNKNOWN_TO_TEXTUAL = {"slash": "/", "plus": "+", "minus": "-", "equals_sign": "=", "full_stop": "."}
"""Characters of keys whose names are not those of Unicode."""


class KeyHint(NamedTuple):
    """One thing that can be done.

    Attributes:
        key: What is pressed for it, in Textual's words.
        display: The same as it is written on the screen.
        label: What it does.
        action: What is run.
        offered: Whether it is one of those that a line of keys names.
        of_screen: Whether the screen does it, rather than the part that has the focus or the game.
        enabled: Whether it can be done now.
    """

    key: str
    display: str
    label: str
    action: str
    offered: bool
    of_screen: bool
    enabled: bool


@runtime_checkable
class BindingLabels(Protocol):
    """A widget or screen whose keys do what it was made for, so that it names them itself."""

    def binding_label(self, binding: Binding) -> str:
        """What a key does; empty for one that isn't to be named."""
        ...


def key_hints(screen: Screen[object]) -> list[KeyHint]:
    """What can be pressed, once each: what the screen is for first, ways through it, ways out, then the game's own."""
    hints: dict[str, tuple[int, KeyHint]] = {}
    for key, active in screen.active_bindings.items():
        binding, node = active.binding, active.node
        label = node.binding_label(binding) if isinstance(node, BindingLabels) else binding.description
        previous = hints.get(binding.action)
        has_better_hint = previous is not None and (previous[1].offered or not binding.show)
        if not label or has_better_hint or _is_typed(screen, key):
            continue
        hint = KeyHint(
            key, display_key(screen, binding), label, binding.action, binding.show,
            active.node is screen, active.enabled,
        )  # fmt: skip
        hints.pop(binding.action, None)
        hints[binding.action] = _rank(screen, key, active), hint
    return [hint for _, hint in sorted(hints.values(), key=lambda one: one[0])]


def all_key_hints(screen: Screen[object]) -> list[KeyHint]:
    """Those a help or a palette tells of: Textual's own are left out."""
    own_actions = {active.binding.action for active in screen.active_bindings.values() if _is_ours(active.binding)}
    return [hint for hint in key_hints(screen) if hint.action in own_actions]


def display_key(screen: Screen[object], binding: Binding) -> str:
    """A key as the game writes it: ``ctrl+q``, not ``^q``."""
    key_name = app_of(screen).get_key_display(binding)
    parts = [f"ctrl+{part[1:]}" if len(part) > 1 and part[0] == "^" else part for part in key_name.split("+")]
    return look(screen).glyphs.enter if key_name == "⏎" else "+".join(parts)


def _is_ours(binding: Binding) -> bool:
    return bool(binding.id) or binding.action == _PALETTE


def _is_typed(screen: Screen[object], key: str) -> bool:
    """Whether the key is a letter for the line one types in."""
    character = _UNKNOWN_TO_TEXTUAL.get(key)
    focused = screen.focused
    return character is not None and focused is not None and focused.check_consume_key(key, character)


def _rank(screen: Screen[object], key: str, active: ActiveBinding) -> int:
    binding = active.binding
    if active.node is app_of(screen):
        return 6
    if binding.action == "help":
        return 5
    if key in ("escape", "q"):
        return 4
    if key == "tab":
        return 2
    if binding.show:
        return 1
    return 2 if active.node is screen else 3
