"""The keys that can be pressed now: ordered by a screen's purpose, and written in the game's style."""

from typing import NamedTuple, Protocol, runtime_checkable

from textual.binding import ActiveBinding, Binding
from textual.screen import Screen

from evalforge.app.ui.theme.look import app_of, look

_PALETTE = "command_palette"
_UNKNOWN_TO_TEXTUAL = {"slash": "/", "plus": "+", "minus": "-", "equals_sign": "=", "full_stop": "."}
"""Characters of keys whose names are not Unicode names."""


class KeyHint(NamedTuple):
    """One key and its action.

    Attributes:
        key: The key, by Textual's name.
        display: The key as the screen shows it.
        label: A label of the action.
        action: The action to run.
        offered: Whether the key bar shows it.
        of_screen: Whether it belongs to the screen, rather than to the focused widget or the game.
        enabled: Whether the action is enabled now.
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
    """A widget or screen that labels its keys itself."""

    def binding_label(self, binding: Binding) -> str:
        """The label of a key; empty to leave it out."""
        ...


def key_hints(screen: Screen[object]) -> list[KeyHint]:
    """The available keys, once each: the screen's purpose first, navigation, ways out, then the game's own."""
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
    return [hint for _, hint in sorted(hints.values(), key=lambda ordered_hint: ordered_hint[0])]


def all_key_hints(screen: Screen[object]) -> list[KeyHint]:
    """The keys for help and palette, without Textual's own."""
    own_actions = {active.binding.action for active in screen.active_bindings.values() if _is_ours(active.binding)}
    return [hint for hint in key_hints(screen) if hint.action in own_actions]


def display_key(screen: Screen[object], binding: Binding) -> str:
    """Write a key in the game's style: ``ctrl+q``, not ``^q``."""
    key_name = app_of(screen).get_key_display(binding)
    parts = [f"ctrl+{part[1:]}" if len(part) > 1 and part[0] == "^" else part for part in key_name.split("+")]
    return look(screen).glyphs.enter if key_name == "⏎" else "+".join(parts)


def _is_ours(binding: Binding) -> bool:
    return bool(binding.id) or binding.action == _PALETTE


def _is_typed(screen: Screen[object], key: str) -> bool:
    """Whether the key is a letter that the focused input takes."""
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
