"""Performs the steps of a claim on one program. Calls go to the player's process; only plain data is handled here.

A step can't reach code on this side: names are modules of the program, variables, or entries in tables of this package.
Attributes belong to objects in the player's process, and never begin with an underscore.
"""

import ast
import contextlib
from collections.abc import Callable
from typing import Any

from evalforge.evidence.claims.claim_steps import ClaimError, CommandStep, Step
from evalforge.evidence.claims.claimed_program import ClaimedProgram
from evalforge.evidence.claims.data import CONSTRUCTORS, METHODS, PLAIN_TYPES, items_of, plain_type
from evalforge.evidence.claims.expressions import PROBLEMS, Expressions, refusal
from evalforge.evidence.claims.stand_ins import ERRORS, STAND_INS, error
from evalforge.evidence.trials.handles import Proxy
from evalforge.evidence.trials.player_errors import PlayerError
from evalforge.model.text import clean_line

_CONTEXT_METHODS = ("__enter__", "__exit__")
_KNOWN_IMPORTS = ("asyncio", "contextlib", "datetime", "decimal", "fractions", "json")
"""Modules whose imports are ignored, because every step may use their names anyway."""


class Interpreter(Expressions):
    """Performs steps one after another."""

    def __init__(self, program: ClaimedProgram) -> None:
        self._program = program
        self._variables: dict[str, Any] = {}
        self._builtins: dict[str, Callable[..., Any]] = {
            "len": len,
            "str": str,
            "bool": bool,
            "list": items_of,
            "sorted": _sorted_items,
            "tuple": _item_tuple,
            "read": self._read,
            "write": self._write,
            "asyncio.run": self._wait_for,
        }

    def perform(self, step: Step) -> Any:
        """Perform one step and return its value, or None for a statement without one.

        Raises:
            ClaimError: The step isn't in the language of claims, or can't be evaluated.
            PlayerError: The player's code raised.
            RunStoppedError: The player's code hung, or its process ended.
        """
        if isinstance(step, CommandStep):
            self._forget_objects()
            run = self._program.run(step)
            self._variables.update(
                exit_status=run.exit_code, stdout=run.stdout, stderr=run.stderr, files=dict(self._program.files)
            )
            return run
        try:
            return self._statement(step)
        except (ClaimError, PlayerError):
            raise
        except PROBLEMS as problem:
            raise ClaimError(f"{clean_line(ast.unparse(step), 80)} has no value ({type(problem).__name__})") from None

    def _statement(self, step: ast.stmt) -> Any:
        match step:
            case ast.Expr():
                return self.value(step.value)
            case ast.Assign(targets=[target]):
                value = self.value(step.value)
                self._assign(target, value)
                return value
            case ast.AugAssign():
                self._assign(step.target, self.combined(step.op, self.value(step.target), self.value(step.value)))
            case ast.Delete(targets=[ast.Subscript() as place]):
                del self._object(place.value)[self.value(place.slice)]
            case ast.Import(names=[name]) if not name.asname:
                self._import(name.name)
            case ast.ImportFrom(module=str() as module, level=0):
                self._import(module)
                for name in step.names if module not in _KNOWN_IMPORTS else ():
                    self._variables[name.asname or name.name] = getattr(self._variables[module], _public(name.name))
            case ast.With(items=[ast.withitem(context_expr=ast.Call(func=manager))], body=[inner]):
                if ast.unparse(manager) not in ("contextlib.suppress", "suppress"):
                    raise refusal(step)
                with contextlib.suppress(PlayerError):
                    self._statement(inner)
            case _:
                raise refusal(step)
        return None

    def _import(self, name: str) -> None:
        if name in _KNOWN_IMPORTS:
            return
        if name not in self._program.module_names:
            raise ClaimError(f"only {' or '.join(self._program.module_names)} can be imported, not {clean_line(name)}")
        self._variables[name] = self._program.player.module(name)

    def _assign(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name():
                self._variables[target.id] = value
            case ast.Attribute():
                setattr(self._object(target.value), _public(target.attr), value)
            case ast.Subscript():
                self._object(target.value)[self.value(target.slice)] = value
            case ast.Tuple() | ast.List():
                for part, item in zip(target.elts, items_of(value), strict=True):
                    self._assign(part, item)
            case _:
                raise refusal(target)

    def _object(self, node: ast.expr) -> Proxy:
        """An object of the player's, which the step may change."""
        value = self.value(node)
        if not isinstance(value, Proxy):
            raise ClaimError(f"{clean_line(ast.unparse(node), 80)} is not an object of the program")
        return value

    def named(self, name: str) -> Any:
        """A variable of an earlier step, or a module of the program."""
        if name in self._variables:
            return self._variables[name]
        if name in self._program.module_names:
            self._import(name)
            return self._variables[name]
        return super().named(name)

    def compared(self, kind: ast.cmpop, left: Any, right: Any) -> Any:
        """The result of a comparison; two of the player's objects are compared in their process."""
        if type(kind) is ast.Eq and isinstance(left, Proxy):
            return left == right or self._program.player.equal(left, right)
        return super().compared(kind, left, right)

    def attribute(self, node: ast.Attribute) -> Any:
        """An attribute of one of the player's objects."""
        return getattr(self._object(node.value), _public(node.attr))

    def called(self, function: ast.expr, args: list[Any], keywords: dict[str, Any]) -> Any:
        """The result of a call to the player's code or to one of our tables.

        Raises:
            ClaimError: The function can't be called.
        """
        name = ast.unparse(function) if isinstance(function, ast.Name | ast.Attribute) else ""
        if name.partition(".")[0] not in self._variables:
            if name in STAND_INS:
                return self._program.player.drive(STAND_INS[name], *args, *keywords.values())
            if name in ERRORS:
                return self._program.player.drive(error, name, *args)
            if name in self._builtins:
                return self._builtins[name](*args, **keywords)
            if name in CONSTRUCTORS:
                return super().called(function, args, keywords)
        if isinstance(function, ast.Attribute):
            owner, method = self.value(function.value), function.attr
            if isinstance(owner, Proxy) and method in _CONTEXT_METHODS:
                return getattr(owner, method)(*args)
            if not isinstance(owner, Proxy) and method in METHODS.get(plain_type(owner), ()):
                result = getattr(owner, method)(*args, **keywords)
                return result if plain_type(result) in PLAIN_TYPES else list(result)
        target = self.value(function)
        if not isinstance(target, Proxy):
            raise ClaimError(f"{clean_line(ast.unparse(function), 80)} can't be called")
        return target(*args, **keywords)

    def _wait_for(self, awaitable: Any) -> Any:
        return self._program.player.wait(awaitable)

    def _read(self, name: str) -> bytes:
        self._forget_objects()
        return self._program.read(name)

    def _write(self, name: str, content: str | bytes) -> None:
        self._forget_objects()
        self._program.write(name, content)

    def _forget_objects(self) -> None:
        """Forget the variables of objects in the player's process, which ends with them."""
        self._variables = {name: value for name, value in self._variables.items() if not isinstance(value, Proxy)}


def _sorted_items(values: Any) -> list[Any]:
    return sorted(items_of(values))


def _item_tuple(values: Any) -> tuple[Any, ...]:
    return tuple(items_of(values))


def _public(name: str) -> str:
    if name.startswith("_"):
        raise ClaimError(f"{clean_line(name, 60)} is private to the program")
    return name
