"""Where a program reaches outside: files, standard streams, its end."""

import ast

from evalforge.evidence.static.module import UNKNOWN, Module
from evalforge.evidence.static.scopes import Scope, called

_EXITS = frozenset({"sys.exit", "os._exit", "os.abort", "builtins.exit", "builtins.quit"})
_SEEN = "a file"
"""What a line touched if it calls nothing."""


def process_exits(module: Module, scope: Scope) -> list[tuple[ast.Call | ast.Raise, str]]:
    """Find where a scope ends the process, and how: ``sys.exit``, ``os._exit``, ``raise SystemExit``."""
    exits: list[tuple[ast.Call | ast.Raise, str]] = [
        (call, name.removeprefix("builtins.")) for call, name in scope.calls if name in _EXITS
    ]
    exits += [
        (node, "raise SystemExit")
        for node in scope.nodes(ast.Raise)
        if node.exc is not None and "builtins.SystemExit" in module.ancestry(called(node.exc), scope)
    ]
    return exits


def io_places(module: Module, scope: Scope) -> list[tuple[int, str]]:
    """Find where a scope touched the outside world in trials or ends the process, as (line, what), in source order.

    What counts is what a line did, whatever it calls: it opened a file, or it read or wrote a standard stream in plain
    use. Logging doesn't count.
    """
    touching = (*module.touching_lines.get(scope, ()), *module.streaming_lines.get(scope, ()))
    places = [(line, _called_on(line, scope)) for line in touching]
    places += [(node.lineno, what) for node, what in process_exits(module, scope)]
    arguments = (node for node in scope.nodes(ast.Attribute) if node.attr == "argv")
    places += [(node.lineno, "sys.argv") for node in arguments if module.dotted_name(node, scope) == "sys.argv"]
    return sorted(set(places))


def _called_on(line: int, scope: Scope) -> str:
    """What a line calls, preferably by a name that is imported or built in."""
    names = [name for call, name in scope.calls if call.lineno == line]
    name = min(names, key=lambda name: name.startswith(UNKNOWN), default=_SEEN)
    return name.removeprefix("builtins.").removeprefix(".()").lstrip(UNKNOWN)
