"""What a program reports to its operator: log records, prints, messages on standard error."""

import ast
import re
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.input_output import process_exits
from evalforge.evidence.static.module import UNKNOWN, Module
from evalforge.evidence.static.scopes import Scope, blocks
from evalforge.evidence.static.vocabulary import ECHOES, LOG_LEVELS, PRINTS, TO_STDERR

_LOGGER = re.compile(r"(?:^|_)(?i:log|logger|logging)$|[a-z]Log(?:ger)?$")
_GETTERS = frozenset({"getLogger", "get_logger", "getChild", "bind"})
_LOG_ROOTS = ("logging.", "structlog.", "loguru.")


def is_logging(call: ast.Call, name: str) -> bool:
    """Whether a call writes a log record: through the logging module or anything named like a logger."""
    function = call.func
    if not isinstance(function, ast.Attribute):
        return name.startswith("logging.") and name.removeprefix("logging.") in LOG_LEVELS
    if function.attr not in LOG_LEVELS:
        return False
    receiver = function.value
    if isinstance(receiver, ast.Call):
        getter = receiver.func
        return isinstance(getter, ast.Attribute | ast.Name) and _last_part(getter) in _GETTERS
    if not name.startswith(UNKNOWN):
        return name.startswith(_LOG_ROOTS) or bool(_LOGGER.search(name.split(".")[-2]))
    return isinstance(receiver, ast.Attribute | ast.Name) and bool(_LOGGER.search(_last_part(receiver)))


def logging_calls(modules: list[Module]) -> Iterator[Observation]:
    """Every call that writes a log record, and was made in a trial."""
    for module in modules:
        loggers = _logger_names(module)
        for scope in module.scopes:
            for call, name in scope.calls:
                if (is_logging(call, name) or _is_on(call, loggers)) and module.ran(call, scope):
                    yield Observation(module.path, call.lineno, "writes a log record", name.lstrip(UNKNOWN))


def prints(modules: list[Module]) -> Iterator[Observation]:
    """Every print to standard output."""
    for module in modules:
        for scope in module.scopes:
            for call, name in scope.calls:
                if name in PRINTS and not _goes_to_stderr(module, scope, call, name):
                    yield Observation(module.path, call.lineno, "prints", scope.name or "the module body")


def composed_prints(modules: list[Module]) -> Iterator[Observation]:
    """Every print to standard output, made in a trial, of words put together with values in the call itself.

    What is printed before the program ends in failure is no result.
    """
    for module in modules:
        for scope in module.scopes:
            for call, name in scope.calls:
                is_print = name in PRINTS and not _goes_to_stderr(module, scope, call, name)
                if not (is_print or name == "sys.stdout.write") or not _composes(call) or not module.ran(call, scope):
                    continue
                if not _is_refusal(module, scope, call):
                    message = "makes what it prints in the call itself"
                    yield Observation(module.path, call.lineno, message, scope.name or "the module body")


def _is_refusal(module: Module, scope: Scope, call: ast.Call) -> bool:
    """Whether a call is followed, in its block, by the end of the program or a status other than 0."""
    exits = {id(node) for node, _ in process_exits(module, scope)}
    for block in blocks(scope):
        if any(isinstance(node, ast.Expr) and node.value is call for node in block):
            last = block[-1]
            is_status = isinstance(last, ast.Return) and isinstance(last.value, ast.Constant) and bool(last.value.value)
            return is_status or isinstance(last, ast.Raise) or any(id(node) in exits for node in ast.walk(last))
    return False


def _composes(call: ast.Call) -> bool:
    """Whether a call is given words and values apart, or an expression that joins them."""
    words = [argument for argument in call.args if _is_text(argument) and _has_letters(argument)]
    if words and len(words) < len(call.args):
        return True
    return any(_joins_words(node) for argument in call.args for node in ast.walk(argument))


def _joins_words(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr(values=values):
            return len(values) > 1 and any(map(_has_letters, values))
        case ast.BinOp(op=ast.Add() | ast.Mod(), left=left, right=right):
            return _has_letters(left) or _has_letters(right)
        case ast.Call(func=ast.Attribute(attr="format" | "format_map")):
            return True
        case _:
            return False


def _has_letters(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and any(map(str.isalpha, node.value))


def stderr_writes(modules: list[Module]) -> Iterator[Observation]:
    """Every message on standard error that a trial came by: prints, writes, usage errors, exits with a message."""
    for module in modules:
        parsers = _made_by(module, ("argparse.ArgumentParser", "optparse.OptionParser")) | {"parser"}
        for scope in module.scopes:
            for call, name in scope.calls:
                if not module.ran(call, scope):
                    continue
                if name in TO_STDERR or _goes_to_stderr(module, scope, call, name):
                    yield Observation(
                        module.path, call.lineno, "writes to standard error", scope.name or "the module body"
                    )
                elif _is_on(call, parsers) and name.endswith(".error"):
                    yield Observation(
                        module.path, call.lineno, "ends with a usage error", scope.name or "the module body"
                    )
            for node, _ in process_exits(module, scope):
                if _exits_with_words(scope, node) and module.ran(node, scope):
                    yield Observation(module.path, node.lineno, "exits with a message", scope.name or "the module body")


def _last_part(node: ast.Attribute | ast.Name) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id


def _is_on(call: ast.Call, names: set[str]) -> bool:
    """Whether a call is a logging or error method of one of these objects."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr not in LOG_LEVELS:
        return False
    return isinstance(function.value, ast.Attribute | ast.Name) and _last_part(function.value) in names


def _logger_names(module: Module) -> set[str]:
    """Names that hold the result of ``getLogger`` or the like, whatever they are called."""
    return _made_by(module, ("logging.getLogger", "structlog.get_logger", "structlog.getLogger"))


def _made_by(module: Module, makers: tuple[str, ...]) -> set[str]:
    names = set[str]()
    for scope in module.scopes:
        for node in scope.nodes(ast.Assign):
            if isinstance(node.value, ast.Call) and module.dotted_name(node.value.func, scope) in makers:
                names.update(
                    _last_part(target) for target in node.targets if isinstance(target, ast.Name | ast.Attribute)
                )
    return names


def _goes_to_stderr(module: Module, scope: Scope, call: ast.Call, name: str) -> bool:
    if name in ECHOES:
        return any(
            word.arg == "err" and isinstance(word.value, ast.Constant) and word.value.value for word in call.keywords
        )
    if name not in PRINTS:
        return False
    return any(word.arg == "file" and _is_stderr(module, scope, word.value) for word in call.keywords)


def _is_stderr(module: Module, scope: Scope, node: ast.expr) -> bool:
    """Whether an expression is ``sys.stderr``, or a name that is assigned it."""
    if module.dotted_name(node, scope) == "sys.stderr":
        return True
    if not isinstance(node, ast.Name):
        return False
    return any(module.dotted_name(value, scope) == "sys.stderr" for value in module.assigned_values(node.id, scope))


def _exits_with_words(scope: Scope, node: ast.Call | ast.Raise) -> bool:
    """``sys.exit("...")`` prints its argument, if it is text or an error, on standard error."""
    call = node.exc if isinstance(node, ast.Raise) else node
    if not isinstance(call, ast.Call) or not call.args:
        return False
    match call.args[0]:
        case ast.JoinedStr() | ast.Constant(value=str()):
            return True
        case ast.Call(func=ast.Name(id="str") | ast.Attribute(attr="format")):
            return True
        case ast.BinOp(left=left, right=right):
            return any(isinstance(side, ast.JoinedStr) or _is_text(side) for side in (left, right))
        case ast.Name(id=name):
            return any(handler.name == name for handler in scope.nodes(ast.ExceptHandler))
        case _:
            return False


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
