"""Shell completion. Imported only when Tab is pressed, because argcomplete runs the program itself."""

import os
import sqlite3
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from typing import Any

from evalforge.packs.locations import HISTORY, boss_folders, state_folder

_MAX_ATTEMPTS = 200
Offer = Callable[..., "Iterable[str] | dict[str, str]"]


def complete(parser: ArgumentParser) -> None:
    """Print the completions for the shell that asks, and exit; does nothing if no shell asks."""
    import argcomplete

    for action in _actions(parser):
        if (offer := _OFFERS.get(str(action.metavar))) is not None:
            action.completer = offer  # pyright: ignore[reportAttributeAccessIssue] - where argcomplete looks for it
    argcomplete.autocomplete(parser, always_complete_options="long")


def _actions(parser: ArgumentParser) -> Iterable[Action]:
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001 - there is no public list
        yield action
        choices: Any = action.choices
        if isinstance(choices, dict):
            for command in choices.values():  # pyright: ignore[reportUnknownVariableType]
                yield from _actions(command)  # pyright: ignore[reportUnknownArgumentType]


def offer_bosses(parsed_args: Namespace, **_: Any) -> list[str]:
    """Offer the ids of all bosses: the names of packs' folders, which are not opened."""
    folders = boss_folders(tuple(getattr(parsed_args, "bosses", None) or ()))
    return sorted({path.parent.name for folder in folders for path in folder.glob("*/boss.yaml")})


def offer_attempts(**_: Any) -> dict[str, str]:
    """Offer the newest attempts, each with its boss and verdict."""
    path = state_folder() / HISTORY
    query = "SELECT id, boss_id, coalesce(verdict, state) FROM attempts ORDER BY seq DESC LIMIT ?"
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    except sqlite3.Error:
        return {}
    try:
        return {str(key): f"{boss} {verdict}" for key, boss, verdict in connection.execute(query, (_MAX_ATTEMPTS,))}
    except sqlite3.Error:
        return {}
    finally:
        connection.close()


def offer_folders(prefix: str = "", **_: Any) -> list[str]:
    """Offer the folders that complete a path."""
    folder, name = os.path.split(prefix)
    try:
        entries = [entry for entry in os.scandir(os.path.expanduser(folder) or ".") if entry.is_dir()]  # noqa: PTH111 - as typed
    except OSError:
        return []
    shown = (entry for entry in entries if not entry.name.startswith(".") or name.startswith("."))
    return [os.path.join(folder, entry.name) + "/" for entry in shown if entry.name.startswith(name)]  # noqa: PTH118


def _offer_packs(prefix: str = "", **more: Any) -> list[str]:
    return [*offer_bosses(**more), *offer_folders(prefix)]


_OFFERS: dict[str, Offer] = {
    "BOSS": offer_bosses,
    "PACK": _offer_packs,
    "DIR": offer_folders,
    "ID": offer_attempts,
    "ATTEMPT|RUN:CLUSTER": offer_attempts,
}
"""The completions of an argument, by its placeholder in help; every other argument completes to files."""
