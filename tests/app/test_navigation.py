"""The navigator knows screens by name: each name exists, and takes what the navigator gives it."""

import inspect
from types import SimpleNamespace

import pytest

from evalforge.app.core import navigation
from evalforge.app.core.navigation import Navigator

OPENERS = [name for name in vars(Navigator) if name.startswith("open_")]


@pytest.mark.parametrize("name", OPENERS)
def test_what_it_names_takes_what_it_gives(name, monkeypatch):
    bound = []
    find = navigation._find

    def find_and_bind(place: str):
        target = find(place)
        return lambda *given, **options: bound.append(inspect.signature(target).bind(*given, **options))

    monkeypatch.setattr(navigation, "_find", find_and_bind)
    opener = getattr(Navigator(SimpleNamespace(push_screen=lambda screen: None)), name)
    named = inspect.signature(opener).parameters.values()
    opener(*(object() for parameter in named if parameter.kind is parameter.POSITIONAL_OR_KEYWORD))
    assert len(bound) == 1
