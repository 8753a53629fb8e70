"""The page of all keys, read from the screens: what each key means to players, then every screen with its own."""

from collections.abc import Iterable, Iterator
from importlib import import_module
from pkgutil import walk_packages

from textual.binding import Binding

import evalforge.app
from evalforge.app.screens.base import GameScreen

_GENERAL = {
    "`enter`": "open, or do what the screen is for: fight, strike, begin, continue",
    "`esc`": "one level up: trials, verdict, boss page, roster; stops a running fight first",
    "`q`": "quit, on the roster; elsewhere it says how to quit",
    "`ctrl+q`": "quit",
    "`?`, `f1`": "help (`f1` while you type)",
    "`,`": "settings",
    "`ctrl+p`": "command palette: everything, by name",
    "`ctrl+t`": "next theme",
    "`↑` `↓`": "move; `k` and `j` in lists, too",
    "`←` `→`": "neighbouring tab; in code, scroll",
    "`1` to `9`": "tab by its number; after a fight: strike, and call the criterion that will rise (`0`: none)",
    "`tab`": "next part of the screen",
}
_SIGNS = {
    "slash": "/", "plus": "+", "minus": "-", "equals_sign": "=", "escape": "esc", "question_mark": "?", "comma": ",",
    "left": "←", "right": "→", "up": "↑", "down": "↓", "pageup": "pgup", "pagedown": "pgdn",
}  # fmt: skip
_TEACHING = ("classroom", "evaluations", "lab", "teaching")
"""The folders of screens for teachers."""


def all_screens() -> list[type[GameScreen]]:
    """Every screen of the game that has a name, players' screens first, each group by name."""
    for module in walk_packages(evalforge.app.__path__, f"{evalforge.app.__name__}."):
        import_module(module.name)
    screens = {screen for screen in _subclasses(GameScreen) if screen.NAME}
    return sorted(screens, key=lambda screen: (is_teaching(screen), screen.NAME))


def is_teaching(screen: type[GameScreen]) -> bool:
    """Whether a screen is for teachers."""
    return screen.__module__.split(".")[2] in _TEACHING


def bindings(screen: type[GameScreen]) -> list[Binding]:
    """A screen's keys, one by one, without those that every screen has."""
    bases = screen.__mro__[: screen.__mro__.index(GameScreen)]
    declared = [binding for base in bases for binding in base.__dict__.get("BINDINGS", ())]
    return [each for binding in declared for each in Binding.make_bindings([binding])]


def keys_page() -> str:
    """What each key means, and every screen's keys."""
    screens = all_screens()
    lines = [
        "# Keys",
        "",
        "A key means the same on every screen for players. The line at the bottom shows the most important keys of the",
        "current screen, and `?` shows all of them; you can click each entry.",
        "",
        *_table(_GENERAL.items()),
        "",
        "## By key",
        "",
        "Letters and other keys on players' screens:",
        "",
        *_table(_meanings(screen for screen in screens if not is_teaching(screen))),
        "",
        "## By screen",
        "",
        "Teachers' screens, opened with `T`, from the palette or from the command line, have some keys of their own.",
    ]
    for screen in screens:
        lines += ["", f"### {screen.NAME}", "", *_table(_labels(bindings(screen)))]
    return "\n".join(lines) + "\n"


def _subclasses(base: type[GameScreen]) -> Iterator[type[GameScreen]]:
    for screen in base.__subclasses__():
        yield screen
        yield from _subclasses(screen)


def _table(rows: Iterable[tuple[str, str]]) -> list[str]:
    return ["| key | meaning |", "|---|---|", *(f"| {keys} | {meaning} |" for keys, meaning in rows)]


def _meanings(screens: Iterable[type[GameScreen]]) -> list[tuple[str, str]]:
    """Each key with everything that it does on some screens; general keys and digits aside."""
    meanings: dict[str, dict[str, None]] = {}
    for binding in (binding for screen in screens for binding in bindings(screen)):
        if not binding.key.isdigit() and _code(binding.key) not in " ".join(_GENERAL):
            meanings.setdefault(binding.key, {})[binding.description] = None
    ordered = sorted(meanings.items(), key=lambda item: (len(item[0]) > 1, item[0].lower(), item[0]))
    return [(_code(key), ", ".join(texts)) for key, texts in ordered]


def _labels(screen_bindings: Iterable[Binding]) -> list[tuple[str, str]]:
    """The keys of each action, in the order in which the screen declares them."""
    keys: dict[str, list[str]] = {}
    for binding in screen_bindings:
        keys.setdefault(binding.description, []).append(_code(binding.key))
    return [(" ".join(dict.fromkeys(codes)), label) for label, codes in keys.items()]


def _code(key: str) -> str:
    return f"`{_SIGNS.get(key, key)}`"
