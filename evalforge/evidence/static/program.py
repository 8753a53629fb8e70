"""A program: its files, and what is asked about all of them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from evalforge.evidence.static.module import Module
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
