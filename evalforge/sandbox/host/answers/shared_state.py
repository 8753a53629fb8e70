"""State that calls share: what can be reached from the names of the player's modules, and is changed by calls.

What is there once a module is imported is its own affair. Each later call of a function begins with a look at it: what
differs was changed by calls, and is put back on request. If nobody misses it, it was a cache or a note; if somebody
does, a call depends on what others left.
"""

from __future__ import annotations

import functools
import gc
import linecache
import operator
import sys
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from types import CellType, FrameType, FunctionType, MethodType, SimpleNamespace
from typing import Any

from .effects import Effects, frames

Name = tuple[str, str]
"""A file of the player's, and a name in its module."""
_MAX_STEPS, _MAX_ITEMS = 20_000, 2000
_MAPPINGS: tuple[Any, ...] = (OrderedDict, dict)
_ROWS: tuple[Any, ...] = (list, bytearray)
_BAGS: tuple[Any, ...] = (set, deque)
_PASSED: tuple[Any, ...] = (
    *(tuple, frozenset, staticmethod, classmethod, property),
    *(MethodType, functools.partial, type(functools.lru_cache(len))),
)
"""What can't change itself, but may lead to what can."""
_SETUP = ("@", "def ", "async def ", "class ")
"""How lines of a script begin that define something: what they call prepares it, as registering does."""
_dict: Any = dict  # typed as ``Any``, because the types of what is in them are unknown
_set: Any = set
_deque: Any = deque
_MISSING = object()


class SharedState:
    """Notes the names whose state calls change, and puts back that of some of them."""

    def __init__(self, effects: Effects, put_back: Iterable[Iterable[str]]) -> None:
        self.changed: dict[Name, None] = {}
        self._effects = effects
        self._put_back = set(map(tuple, put_back))
        self._values: dict[Name, Any] = {}
        self._contents: dict[int, tuple[Name, Any, list[Any]]] = {}
        self._module_count = 0
        self._known_namespaces: list[tuple[str, dict[str, Any]]] = []
        self._steps_left = _MAX_STEPS
        self._is_busy = self._is_preparing = False

    def note_call(self, frame: FrameType, event: str, _: object) -> Any:
        """Look at the state where a function begins, or goes back to a script; a function for ``sys.settrace``."""
        if self._steps_left < 0:
            sys.settrace(None)
            return None
        if self._is_busy or not self._effects.is_players(frame) or frame.f_code.co_name == "<module>":
            return None
        stack = [*frames(frame.f_back)]
        self._steps_left -= len(stack)
        callers = [caller for caller in stack if self._effects.is_players(caller)]
        is_scripts = bool(callers) and callers[0].f_code.co_name == "<module>"
        if any(map(_prepares, callers)):
            self._is_preparing = True
            return None
        if event == "call" and (is_scripts or self._is_preparing):
            self._values.clear()
            self._contents.clear()
        self._is_busy = True  # the player's own methods may be called
        self._look()
        self._is_busy = self._is_preparing = False
        frame.f_trace_lines = False
        return self._note_return if is_scripts else None

    def _note_return(self, frame: FrameType, event: str, _: object) -> Any:
        return self.note_call(frame, event, None) if event == "return" else self._note_return

    def _look(self) -> None:
        """Get to know what is new of the state, and compare the rest with what is known."""
        for path, namespace in self._namespaces():
            for key, value in [((path, name), value) for name, value in namespace.items() if name[:2] != "__"]:
                old_value = self._values.get(key, _MISSING)
                if value is not old_value:
                    self._remember(key, [value])
                    is_put_back = old_value is not _MISSING and self._is_to_put_back(key)
                    self._values[key] = namespace[key[1]] = old_value if is_put_back else value
        for number, (name, holder, items) in list(self._contents.items()):
            present = _items(holder)
            self._steps_left -= 1 + len(present)
            if not _are_same(present, items):
                self._remember(name, present)
                if self._is_to_put_back(name):
                    _put_back(holder, items)
                else:
                    self._contents[number] = (name, holder, present)

    def _is_to_put_back(self, name: Name) -> bool:
        self.changed[name] = None
        return name in self._put_back

    def _namespaces(self) -> list[tuple[str, dict[str, Any]]]:
        """The paths and names of the player's modules; they are looked for again when there are more modules."""
        if self._module_count != len(sys.modules):
            self._module_count = len(sys.modules)
            files = [(getattr(module, "__file__", None), module) for module in list(sys.modules.values())]
            paths = [(self._effects.relative(file), module) for file, module in files]
            self._known_namespaces = [(path, vars(module)) for path, module in paths if path is not None]
        return self._known_namespaces

    def _remember(self, name: Name, values: Iterable[Any]) -> None:
        """Remember what is in all that can be reached from some values."""
        waiting, reached = [*values], set[int]()
        while waiting and self._steps_left >= 0:
            value = waiting.pop()
            self._steps_left -= 1
            if id(value) in reached:
                continue
            reached.add(id(value))
            waiting += gc.get_referents(value) if isinstance(value, _PASSED) else ()
            waiting += (value.__defaults__ or ()) if isinstance(value, FunctionType) else ()
            for holder in self._holders(value):
                items = _items(holder)
                if len(items) <= _MAX_ITEMS:
                    self._contents.setdefault(id(holder), (name, holder, items))
                    waiting += items

    def _holders(self, value: Any) -> Iterator[Any]:
        """What holds the parts of a value that can change: itself, its attributes, the cells of a function."""
        kind = value if isinstance(value, type) else type(value)
        is_own = self._is_own(sys.modules.get(kind.__module__)) or kind is SimpleNamespace
        if isinstance(value, FunctionType):
            if self._effects.relative(value.__code__.co_filename) is not None or hasattr(value, "__wrapped__"):
                yield from (value.__closure__ or ())
                yield from filter(None, (vars(value), value.__kwdefaults__))
        elif is_own or isinstance(value, (*_MAPPINGS, *_ROWS, *_BAGS, CellType)):
            yield value
            if is_own and hasattr(value, "__dict__") and kind is not value:
                yield vars(value)

    def _is_own(self, module: object) -> bool:
        return self._effects.relative(getattr(module, "__file__", None)) is not None


def _prepares(caller: FrameType) -> bool:
    """Whether a frame is the body of an imported module, or a line of a script that defines something."""
    if caller.f_code.co_name != "<module>":
        return False
    is_imported = caller.f_globals.get("__name__") != "__main__"
    return is_imported or linecache.getline(caller.f_code.co_filename, caller.f_lineno).startswith(_SETUP)


def _attributes(holder: Any) -> dict[str, Any]:
    """What a class, or an object with slots, has been given."""
    if isinstance(holder, type):
        pairs = vars(holder).items()
        return {name: value for name, value in pairs if name[:2] != "__" or isinstance(value, FunctionType)}
    slots = [vars(kind).get("__slots__", ()) for kind in type(holder).__mro__]
    names = [name for each in slots for name in ([each] if isinstance(each, str) else each) if name[:2] != "__"]
    return {name: getattr(holder, name) for name in names if hasattr(holder, name)}


def _items(holder: Any) -> list[Any]:
    """What is in a holder; keys come before their values."""
    if isinstance(holder, CellType):
        try:
            return [holder.cell_contents]
        except ValueError:  # it is empty
            return []
    if isinstance(holder, (*_ROWS, *_BAGS)):
        return sorted(holder, key=id) if isinstance(holder, _set) else list(holder)
    mapping = holder if isinstance(holder, _dict) else _attributes(holder)
    return [*_dict.keys(mapping), *_dict.values(mapping)]


def _are_same(items: list[Any], others: list[Any]) -> bool:
    return len(items) == len(others) and all(map(operator.is_, items, others))


def _put_back(holder: Any, items: list[Any]) -> None:
    """Give a holder what was in it, past the methods of its class, which may be the player's."""
    kinds: tuple[Any, ...] = (*_MAPPINGS, *_BAGS, *_ROWS, CellType, type, object)
    kind: Any = next(kind for kind in kinds if isinstance(holder, kind))
    pairs = dict(zip(items[: len(items) // 2], items[len(items) // 2 :]))
    if kind in _MAPPINGS:
        kind.clear(holder)
        kind.update(holder, pairs)
    elif kind in _BAGS:
        kind.clear(holder)
        (_set.update if kind is _set else _deque.extend)(holder, items)
    elif kind in _ROWS:
        kind.__setitem__(holder, slice(None), items)
    elif kind is CellType and items:
        holder.cell_contents = items[0]
    elif kind is not CellType:
        for name in _attributes(holder).keys() - pairs.keys():
            kind.__delattr__(holder, name)
        for name, value in pairs.items():
            kind.__setattr__(holder, name, value)
