"""What functions change in place: state that outlives a call, their arguments, and what a loop also checks."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.module import UNKNOWN, Module
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import LOOPS, Scope, called, root_name, simple_name
from evalforge.evidence.static.vocabulary import CONTAINERS, MUTATORS, PURE_OS, SILENT_MUTATORS

_MUTATING_FUNCTIONS = (
    "heapq.heap",
    "bisect.insort",
    "random.shuffle",
    "builtins.setattr",
    "builtins.delattr",
    "operator.setitem",
    "operator.delitem",
    "operator.iadd",
    "operator.ior",
)
_MODULE_STATE = "globals() or a class"
"""The name for state that outlives every call and has no name of its own: ``globals()``, ``type(self)``."""
_DISPLAYS = (ast.Dict, ast.List, ast.Set)


def global_writes(program: Program) -> Iterator[Observation]:
    """Find where functions declare or change state that outlives them: globals, classes, other modules.

    Changes that only happen on import don't count, nor do a function's own cached results.
    """
    decorators = _decorators(program)
    for module, scope in program.functions:
        for node in scope.nodes(ast.Global):
            yield Observation(module.path, node.lineno, f"is made global in {scope.name}", ", ".join(node.names))
        kept_defaults = _kept_defaults(module, scope)
        is_registering = _is_registering(scope, decorators)
        for node, name in in_place_changes(scope):
            if name in kept_defaults:
                message = f"is one for all calls of {scope.name}, and changed in it"
                yield Observation(module.path, node.lineno, message, name)
            is_shared = name == _MODULE_STATE or (
                not scope.is_local(name) and (name in module.root.bound_names or name in module.imports)
            )
            if is_shared and not is_registering and not _is_memo(module, scope, name):
                message = f"is shared by the whole module and changed in {scope.name}"
                yield Observation(module.path, node.lineno, message, name)
    for module, class_scope in program.classes:
        yield from _changes_of_objects(module, class_scope)


def checking_changes(program: Program) -> Iterator[Observation]:
    """The first loop of each method that raises errors and also changes the object's state.

    If a later iteration refuses its input, an earlier one has already changed something.
    """
    for module, scope in program.functions:
        loop = next((loop for loop in scope.nodes(*LOOPS) if _checks_and_changes(loop, scope)), None)
        if loop is not None:
            yield Observation(module.path, loop.lineno, "raises errors in a loop that also changes state", scope.name)


def handed_changes(program: Program) -> Iterator[Observation]:
    """Find where methods of a class that opens files change their arguments."""
    for module, class_scope in program.classes:
        methods = module.methods(class_scope)
        works_on_files = any(_is_of_files(name) for scope in methods for _, name in scope.calls)
        for scope in methods if works_on_files else ():
            arguments = (*scope.arguments.args[1:], *scope.arguments.kwonlyargs)  # but for the object itself
            for node, name in in_place_changes(scope):
                if any(argument.arg == name for argument in arguments):
                    message = f"changes `{name}`, in a class that works on files"
                    yield Observation(module.path, node.lineno, message, scope.name)


def _decorators(program: Program) -> dict[str, set[bool]]:
    """Names that only occur in decorators of modules and classes, and whether they are called there."""
    calls: dict[str, set[bool]] = defaultdict(set)
    counts = Counter(simple_name(node) for _, scope in program.scopes for node in scope.nodes(ast.Name, ast.Attribute))
    for _, scope in program.scopes:
        is_on_import = scope.parent is not None and scope.parent.function is None
        for node in scope.decorators if is_on_import else ():
            name = simple_name(called(node))
            calls[name].add(isinstance(node, ast.Call))
            counts[name] -= 1
    return {name: calls[name] for name in calls if not counts[name]}


def _is_registering(scope: Scope, decorators: dict[str, set[bool]]) -> bool:
    """Whether a function only runs on import: a decorator, or a function that makes one."""
    if scope.last_name == "__init_subclass__" or scope.last_name in decorators:
        return True
    return scope.parent is not None and decorators.get(scope.parent.last_name) == {True}


def _is_memo(module: Module, scope: Scope, name: str) -> bool:
    """Whether only one function uses a dictionary, to cache its results by everything that they depend on."""
    mentions = [node for around in module.scopes for node in around.nodes(ast.Name) if node.id == name]
    own = [node for node in scope.nodes(ast.Name) if node.id == name]
    stores = [node for node in scope.nodes(ast.Assign) if any(root_name(target) == name for target in node.targets)]
    changes = [node for node, changed in in_place_changes(scope) if changed == name]
    keys = [node.slice for node in changes if isinstance(node, ast.Subscript)]
    if scope.function is None or len(own) < len(mentions) - 1 or not len(stores) == len(changes) == len(keys):
        return False
    kept_names = {name} | {simple_name(node) for store in stores for node in [*store.targets, store.value]}
    answers = [node.value for node in scope.nodes(ast.Return) if node.value is not None]
    is_count = any(name in _names_in(module, scope, node.value) for node in stores)
    if is_count or not answers or not all(root_name(answer) in kept_names for answer in answers):
        return False
    inputs = {parameter.arg for parameter in scope.parameters}
    return bool(inputs) and all(inputs <= _names_in(module, scope, key) for key in keys)


def _names_in(module: Module, scope: Scope, node: ast.expr) -> set[str]:
    """The names in an expression, and the names that those are assigned from."""
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    values = [value for name in names for value in module.assigned_values(name, scope)]
    return names | {part.id for value in values for part in ast.walk(value) if isinstance(part, ast.Name)}


def _kept_defaults(module: Module, scope: Scope) -> set[str]:
    """Parameters with a mutable container as default, which Python creates once: ``def add(row, rows=[])``."""
    around = scope.parent or scope
    return {name for name, value in scope.parameter_defaults if _is_container(module, around, value)}


def _changes_of_objects(module: Module, class_scope: Scope) -> Iterator[Observation]:
    """Where methods change a container shared by all objects: their class's, or an alias of one of the module's."""
    methods = module.methods(class_scope)
    attributes = (node for scope in methods for node in scope.nodes(ast.Attribute))
    of_each = {node.attr for node in attributes if not isinstance(node.ctx, ast.Load)}
    shared = {name: name for name in _containers(module, class_scope) - of_each}
    shared |= {attribute: name for scope in methods for attribute, name in _aliases(module, scope)}
    for scope in methods if shared else ():
        for node, _ in in_place_changes(scope):
            attribute = _attribute_of_self(node, scope)
            if attribute in shared and not (isinstance(node, ast.Attribute) and node.attr == attribute):
                message = f"is one for all objects of {class_scope.name}, and changed in {scope.name}"
                yield Observation(module.path, node.lineno, message, shared[attribute])


def _aliases(module: Module, scope: Scope) -> Iterator[tuple[str, str]]:
    """Attributes that a method makes aliases of the module's containers, and the containers' names."""
    for node in scope.nodes(ast.Assign):
        match node:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=attribute)], value=ast.Name(id=name)
            ):
                values = [] if scope.is_local(name) else module.assigned_values(name, module.root)
                if any(_is_container(module, module.root, value) for value in values):
                    yield attribute, name
            case _:
                pass


def _containers(module: Module, class_scope: Scope) -> set[str]:
    """Names to which a class body assigns a mutable container."""
    assigned = [(node.targets[0], node.value) for node in class_scope.nodes(ast.Assign)]
    assigned += [(node.target, node.value) for node in class_scope.nodes(ast.AnnAssign) if node.value is not None]
    return {
        target.id
        for target, value in assigned
        if isinstance(target, ast.Name) and _is_container(module, class_scope, value)
    }


def _is_container(module: Module, around: Scope, value: ast.expr) -> bool:
    """Whether an expression creates a mutable container."""
    is_made = isinstance(value, ast.Call) and module.dotted_name(value.func, around) in CONTAINERS
    return is_made or isinstance(value, _DISPLAYS)


def _attribute_of_self(node: ast.expr, scope: Scope) -> str | None:
    """The attribute of the object itself through which something is changed: ``rows`` in ``self.rows[3].append(4)``."""
    first = scope.arguments.args[0].arg if scope.arguments.args else ""
    inner = called(node)
    name = None
    while isinstance(inner, ast.Attribute | ast.Subscript):
        name = inner.attr if isinstance(inner, ast.Attribute) else name
        inner = inner.value
    return name if first == "self" and isinstance(inner, ast.Name) and inner.id == first else None


def _is_base(node: ast.expr, class_scope: Scope) -> bool:
    """Whether this is a base class, whose methods change their argument: ``Base.clear(self)``."""
    return ast.unparse(node) in map(ast.unparse, class_scope.bases)


def in_place_changes(scope: Scope) -> Iterator[tuple[ast.expr, str]]:
    """Every in-place change of an object, with the name through which it is reached."""
    for node in scope.nodes(ast.Attribute, ast.Subscript):
        if not isinstance(node.ctx, ast.Load) and (name := _owner_name(node)):
            yield node, name
    statements = {statement.value for statement in scope.nodes(ast.Expr)}
    for call, dotted in scope.calls:
        function = call.func
        if dotted.startswith(_MUTATING_FUNCTIONS) and call.args:
            name = _owner_name(call.args[0])
        elif isinstance(function, ast.Attribute) and function.attr in MUTATORS and dotted.startswith(UNKNOWN):
            # A call whose result is used isn't a change if a changing method would return None: `context.add(a, b)`.
            is_silent = function.attr in SILENT_MUTATORS and call not in statements
            is_inherited = call.args and scope.parent is not None and _is_base(function.value, scope.parent)
            name = None if is_silent else _owner_name(call.args[0] if is_inherited else function)
        else:
            name = None
        if name:
            yield call, name


def _owner_name(node: ast.AST) -> str | None:
    """The name through which an object like ``a.b[0]`` is reached; None past a call, whose result may be new.

    A class reached through its object is named ``_MODULE_STATE``, and so are a module's globals.
    """
    while True:
        match node:
            case ast.Attribute(attr="__class__", ctx=ast.Load()) | ast.Call(func=ast.Name(id="type"), args=[_]):
                return _MODULE_STATE
            case ast.Call(func=ast.Name(id="globals"), args=[]):
                return _MODULE_STATE
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Starred(value=inner):
                node = inner
            case ast.Call(func=ast.Name(id="vars"), args=[inner]):
                node = inner
            case _:
                return node.id if isinstance(node, ast.Name) else None


def _is_of_files(name: str) -> bool:
    """Whether a call opens a file, or asks the system to move or remove one."""
    return name in ("builtins.open", "io.open") or (name.startswith("os.") and name.rsplit(".", 1)[-1] not in PURE_OS)


def _checks_and_changes(loop: ast.For | ast.AsyncFor | ast.While, scope: Scope) -> bool:
    within = set(ast.walk(loop))
    raises = not within.isdisjoint(scope.nodes(ast.Raise))
    return raises and any(node in within and name == "self" for node, name in in_place_changes(scope))
