"""A program: its files, and what is asked about all of them."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from evalforge.evidence.static.module import Module
from evalforge.evidence.static.reachability import reachable
from evalforge.evidence.static.scopes import Scope


@dataclass(eq=False)
class Program:
    """The files of a program."""

    modules: list[Module]

    @cached_property
    def scopes(self) -> list[tuple[Module, Scope]]:
        """Every scope of every file."""
        return [(module, scope) for module in self.modules for scope in module.scopes]

    @cached_property
    def functions(self) -> list[tuple[Module, Scope]]:
        """Every function, method and nested function."""
        return [(module, scope) for module in self.modules for scope in module.functions]

    @cached_property
    def classes(self) -> list[tuple[Module, Scope]]:
        """Every class, nested ones included."""
        return [(module, scope) for module in self.modules for scope in module.classes]

    def calls(self) -> Iterator[tuple[Module, Scope, ast.Call, str]]:
        """Every call, with the dotted name of what it calls."""
        return ((module, scope, call, name) for module, scope in self.scopes for call, name in scope.calls)

    @cached_property
    def entry_functions(self) -> set[str]:
        """The names of the functions with which one of its files starts."""
        return set[str]().union(*(module.entry_functions for module in self.modules))

    def functions_reaching(self, targets: Iterable[Scope]) -> set[Scope]:
        """The functions that call one of these, directly or indirectly, and these themselves."""
        return reachable(targets, lambda scope: (caller for caller, _ in self.callers.get(scope, ())))

    @cached_property
    def callers(self) -> Mapping[Scope, list[tuple[Scope, str]]]:
        """For each function those that call it, as far as names show it, each with the name by which it does."""
        callers: dict[Scope, list[tuple[Scope, str]]] = defaultdict(list)
        index = _FunctionIndex(self.modules)
        for module, scope in self.functions:
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
