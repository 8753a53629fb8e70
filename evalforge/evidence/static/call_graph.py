"""The call graph of a submission's functions, as far as names show it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from evalforge.evidence.static.module import UNKNOWN, Module
from evalforge.evidence.static.scopes import Scope


def reaching(modules: list[Module], targets: Iterable[Scope]) -> set[Scope]:
    """The functions that call one of these, directly or indirectly, and these themselves."""
    callers: dict[Scope, set[Scope]] = defaultdict(set)
    index = FunctionIndex(modules)
    for module in modules:
        for scope in module.functions:
            for callee, _ in index.called_by(module, scope):
                callers[callee].add(scope)
    reached = set(targets)
    waiting = list(reached)
    while waiting:
        more = callers[waiting.pop()] - reached
        reached |= more
        waiting += more
    return reached


class FunctionIndex:
    """Finds the submission's function that a call refers to, by name."""

    def __init__(self, modules: list[Module]) -> None:
        self._top: dict[str, dict[str, Scope]] = {}
        self._methods: dict[tuple[Scope, str], Scope] = {}
        for module in modules:
            stem = module.path.removesuffix(".py").rsplit("/", 1)[-1]
            top = self._top.setdefault(stem, {})
            for scope in module.functions:
                if scope.parent is module.root:
                    top[scope.name] = scope
                elif scope.parent is not None and scope.function is not None:
                    self._methods[scope.parent, scope.function.name] = scope

    def called_by(self, module: Module, scope: Scope) -> Iterator[tuple[Scope, str]]:
        """The functions that a scope calls, each with the name by which it is called."""
        functions = self._top[module.path.removesuffix(".py").rsplit("/", 1)[-1]]
        for _, name in scope.calls:
            parts = name.split(".")
            last = parts[-1]
            callee = None
            if name.startswith(UNKNOWN) and len(parts) == 2:
                callee = self._nested(scope, last) or (None if scope.is_local(last) else functions.get(last))
            elif name.startswith(UNKNOWN) and len(parts) == 3 and scope.is_method and scope.parent is not None:
                callee = self._methods.get((scope.parent, last)) if parts[1] in {"self", "cls"} else None
            if callee is None and len(parts) > 1:
                callee = self._top.get(parts[-2], {}).get(last)
            if callee is not None and callee is not scope:
                yield callee, last

    def _nested(self, scope: Scope, name: str) -> Scope | None:
        return next(
            (
                function
                for visible_scope in scope.visible_scopes()
                if (function := self._methods.get((visible_scope, name)))
            ),
            None,
        )
