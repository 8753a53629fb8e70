"""Whether a call's result is used, or makes no difference to what happens.

A result is used if it is returned, passed on, looped over, or stored and read again. One that is only tested is used if
the test decides something: the function is a predicate, there is an ``else``, or a branch that leaves was taken.
``if words(name) != "": main()`` doesn't use ``words``.
"""

import ast
from collections.abc import Container
from functools import cached_property

from evalforge.evidence.static.module import Module, is_main_guard
from evalforge.evidence.static.scopes import Scope, children, simple_name

_INSPECTING_BUILTINS = frozenset({"len", "str", "repr", "bool", "int", "float", "isinstance", "type", "hash", "id"})
"""Functions that inspect or convert a value."""
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_ANSWERS_YES_OR_NO = frozenset({"any", "all", "isinstance", "issubclass", "callable", "bool", "hasattr"})
_MAX_STEPS = 200


def is_predicate(scope: Scope) -> bool:
    """Whether a function returns yes or no."""
    values = [node.value for node in scope.nodes(ast.Return) if node.value is not None]
    return bool(values) and all(map(_is_yes_or_no, values))


def _is_yes_or_no(value: ast.expr) -> bool:
    match value:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Constant(value=bool()):
            return True
        case ast.BoolOp(values=values):
            return _is_yes_or_no(values[-1])
        case ast.Call(func=ast.Name(id=name)):
            return name in _ANSWERS_YES_OR_NO
        case ast.Call(func=ast.Attribute(attr=name)):
            return name.startswith(("is", "has", "starts", "ends"))
        case _:
            return False


class AnswerUses:
    """Finds the uses of results in one scope.

    Args:
        module: The file.
        scope: The scope of the calls.
        predicates: The names of functions that return yes or no.
    """

    def __init__(self, module: Module, scope: Scope, predicates: Container[str]) -> None:
        self._module, self._scope, self._predicates = module, scope, predicates

    @cached_property
    def _parents(self) -> dict[int, ast.AST]:
        return {id(child): node for node in self._scope.all_nodes() for child in children(node)}

    def is_used(self, call: ast.Call) -> bool:
        """Whether anything depends on the result of this call."""
        says_yes_or_no = simple_name(call.func) in self._predicates
        return self._is_part_of_something(call, set(), says_yes_or_no=says_yes_or_no)

    def _is_part_of_something(self, node: ast.AST, seen_names: set[str], *, says_yes_or_no: bool) -> bool:
        for _ in range(_MAX_STEPS):
            parent = self._parents.get(id(node))
            match parent:
                case None | ast.Expr():
                    return parent is None
                case ast.UnaryOp(op=ast.Not()):
                    pass
                case ast.Call(func=ast.Name(id=name)) if name in _INSPECTING_BUILTINS:
                    says_yes_or_no = False
                case ast.Await() | ast.UnaryOp() | ast.BoolOp() | ast.Compare():
                    says_yes_or_no = says_yes_or_no and not isinstance(parent, ast.Compare)
                case ast.If(test=test) if test is node:
                    return self._tells_apart(parent, says_yes_or_no=says_yes_or_no)
                case ast.Assert():
                    return says_yes_or_no
                case ast.Assign(targets=targets) if self._is_private(parent):
                    return self._is_read(list(targets), seen_names, says_yes_or_no=says_yes_or_no)
                case ast.AnnAssign(target=target) | ast.NamedExpr(target=target) if self._is_private(parent):
                    return self._is_read([target], seen_names, says_yes_or_no=says_yes_or_no)
                case _:
                    return True
            node = parent
        return True

    def _is_read(self, targets: list[ast.expr], seen_names: set[str], *, says_yes_or_no: bool) -> bool:
        """Whether a value that is bound to these names, and to nothing else, is used under one of them."""
        names = {target.id for target in targets if isinstance(target, ast.Name)}
        if len(names) < len(targets) or not all(map(self._is_own, names)) or names & seen_names:
            return True
        reads = [node for node in self._scope.nodes(ast.Name) if node.id in names and isinstance(node.ctx, ast.Load)]
        return any(
            self._is_part_of_something(node, seen_names | names, says_yes_or_no=says_yes_or_no) for node in reads
        )

    def _is_private(self, node: ast.AST) -> bool:
        """Whether names bound here can't be reached from other modules."""
        if self._scope.function is not None:
            return True
        while not isinstance(parent := self._parents.get(id(node)), ast.Module | None):
            node = parent
        return isinstance(node, ast.stmt) and is_main_guard(node)

    def _is_own(self, name: str) -> bool:
        """Whether only this scope reads the name."""
        inner = (scope for scope in self._module.scopes if self._scope in list(scope.visible_scopes())[1:])
        is_lent = any(node.id == name for scope in inner for node in scope.nodes(ast.Name))
        return name not in self._scope.declared_names and not is_lent

    def _tells_apart(self, branch: ast.If, *, says_yes_or_no: bool) -> bool:
        """Whether a condition decides something, judged by its form and by the branches that ran."""
        ran_body = self._module.ran(branch.body[0], self._scope)
        if branch.orelse:
            return ran_body and self._module.ran(branch.orelse[0], self._scope)
        if isinstance(branch.body[-1], _LEAVES):
            return ran_body or says_yes_or_no
        return says_yes_or_no and self._scope.function is not None
