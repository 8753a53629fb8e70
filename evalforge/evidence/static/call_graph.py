"""The call graph of a submission's functions, as far as names show it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from evalforge.evidence.static.module import Module
from evalforge.evidence.static.scopes import Scope

Callers = Mapping[Scope, list[tuple[Scope, str]]]
"""For each function those that call it, each with the name by which it does."""


def find_callers(modules: list[Module]) -> Callers:
    """Find which functions of a submission call which."""
    callers: dict[Scope, list[tuple[Scope, str]]] = defaultdict(list)
    index = _FunctionIndex(modules)
    for module in modules:
        for scope in module.functions:
            for callee, name in index.called_by(module, scope):
                callers[callee].append((scope, name))
    return callers


class _FunctionIndex:
    """Finds the submission's function that a call refers to, by name."""

    def __init__(self, modules: list[Module]) -> None:
        self._top: dict[str, dict[str, Scope]] = defaultdict(dict)
        self._inner: dict[tuple[Scope, str], Scope] = {}
        for module in modules:
            for scope in module.functions:
                if scope.parent is module.root:
                    self._top[module.stem][scope.name] = scope
                elif scope.parent is not None:
                    self._inner[scope.parent, scope.last_name] = scope

    def called_by(self, module: Module, scope: Scope) -> Iterator[tuple[Scope, str]]:
        """The functions that a scope calls, each with the name by which it is called."""
        for _, name in scope.calls:
            callee = self._callee(module, scope, name.split("."))
            if callee is not None and callee is not scope:
                yield callee, name.rsplit(".", 1)[-1]

    def _callee(self, module: Module, scope: Scope, parts: list[str]) -> Scope | None:
        callee = None
        match parts:
            case [_]:
                return None
            case ["", last]:
                nested = (self._inner.get((around, last)) for around in scope.visible_scopes())
                callee = next(filter(None, nested), None)
                if callee is None and not scope.is_local(last):
                    callee = self._top[module.stem].get(last)
            case ["", "self" | "cls", last] if scope.is_method and scope.parent is not None:
                callee = self._inner.get((scope.parent, last))
            case _:
                pass
        return callee or self._top.get(parts[-2], {}).get(parts[-1])
