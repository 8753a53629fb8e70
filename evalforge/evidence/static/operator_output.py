"""Messages of a program to its operator: log records, prints, text on standard error."""

import ast
import re
from collections.abc import Iterator

from evalforge.evidence.static.fact_builders import Observation
from evalforge.evidence.static.input_output import is_switched_on, process_exits
from evalforge.evidence.static.module import UNKNOWN, Module
from evalforge.evidence.static.origins import Origin, Origins
from evalforge.evidence.static.program import Program
from evalforge.evidence.static.scopes import Scope, simple_name
from evalforge.evidence.static.vocabulary import ECHOES, LOG_LEVELS, PRINTS, TO_STDERR

_LOGGER = re.compile(r"(?:^|_)(?i:log|logger|logging)$|[a-z]Log(?:ger)?$")
_GETTERS = frozenset({"getLogger", "get_logger", "getChild", "bind"})
_LOGGERS = frozenset(
    {"logging.getLogger", "logging.Logger", "logging.LoggerAdapter", "structlog.get_logger", "structlog.getLogger"}
)
_PARSERS = frozenset({"argparse.ArgumentParser", "optparse.OptionParser"})
_LOG_ROOTS = ("logging.", "structlog.", "loguru.")


def is_logging(call: ast.Call, name: str) -> bool:
    """Whether a call writes a log record, through the logging module or an object named like a logger."""
    function = call.func
    if not isinstance(function, ast.Attribute):
        return name.startswith("logging.") and name.removeprefix("logging.") in LOG_LEVELS
    if function.attr not in LOG_LEVELS:
        return False
    receiver = function.value
    if isinstance(receiver, ast.Call):
        return simple_name(receiver.func) in _GETTERS
    if not name.startswith(UNKNOWN):
        return name.startswith(_LOG_ROOTS) or bool(_LOGGER.search(name.split(".")[-2]))
    return bool(_LOGGER.search(simple_name(receiver)))


def logging_calls(program: Program) -> Iterator[Observation]:
    """Find every call that writes a log record and ran in a trial."""
    for module, scope, call, name in program.calls():
        is_record = is_logging(call, name) or _is_on(program.origins, module, scope, call, _LOGGERS)
        if is_record and module.ran(call, scope):
            yield Observation(module.path, call.lineno, "writes a log record", name.lstrip(UNKNOWN))


def stderr_writes(program: Program) -> Iterator[Observation]:
    """Find every message on standard error in a trial: prints, writes, usage errors, exits with a message."""
    for module, scope, call, name in program.calls():
        message = _message_kind(program.origins, module, scope, call, name)
        if message and module.ran(call, scope):
            yield Observation(module.path, call.lineno, message, scope.title)
    for module, scope in program.scopes:
        for node, _ in process_exits(module, scope):
            if _exits_with_words(program.origins, module, scope, node) and module.ran(node, scope):
                yield Observation(module.path, node.lineno, "exits with a message", scope.title)


def _message_kind(origins: Origins, module: Module, scope: Scope, call: ast.Call, name: str) -> str:
    """How a call writes to standard error; empty if it doesn't."""
    if name in TO_STDERR or "sys.stderr" in _streams(origins, module, scope, call, name):
        return "writes to standard error"
    if simple_name(call.func) != "error":
        return ""
    is_parser = name == ".parser.error" or _is_on(origins, module, scope, call, _PARSERS)
    return "ends with a usage error" if is_parser else ""


def _is_on(origins: Origins, module: Module, scope: Scope, call: ast.Call, kinds: frozenset[str]) -> bool:
    """Whether a call is a logging or error method of an object of these types."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr not in LOG_LEVELS:
        return False
    return any(not kinds.isdisjoint(origin.ancestry) for origin in origins.of(module, scope, function.value))


def _streams(origins: Origins, module: Module, scope: Scope, call: ast.Call, name: str) -> set[str]:
    """The dotted names of the streams to which a call is known to write."""
    if name in ECHOES:
        return {"sys.stderr"} if is_switched_on(call, "err") else set()
    files = list[ast.expr]()
    if name in PRINTS:
        makers = [origin.node for origin in origins.of(module, scope, call.func)]
        keywords = [keyword for node in (call, *makers) if isinstance(node, ast.Call) for keyword in node.keywords]
        files = [keyword.value for keyword in keywords if keyword.arg == "file"]
    elif isinstance(call.func, ast.Attribute) and call.func.attr in {"write", "writelines"}:
        files = [call.func.value]
    sources = (origin for file in files for origin in origins.of(module, scope, file))
    return {origin.name for origin in sources if not isinstance(origin.node, ast.Constant)}


def _exits_with_words(origins: Origins, module: Module, scope: Scope, node: ast.Call | ast.Raise) -> bool:
    """Whether an exit such as ``sys.exit("...")`` prints its argument on standard error: text or an error."""
    call = node.exc if isinstance(node, ast.Raise) else node
    if not isinstance(call, ast.Call) or not call.args:
        return False
    return any(_is_message(origin) for origin in origins.of(module, scope, call.args[0]))


def _is_message(origin: Origin) -> bool:
    """Whether an expression is text or a caught error."""
    match origin.node:
        case ast.JoinedStr() | ast.Constant(value=str()):
            return True
        case ast.Call(func=ast.Name(id="str") | ast.Attribute(attr="format")):
            return True
        case ast.BinOp(left=left, right=right):
            return any(isinstance(side, ast.JoinedStr) or _is_text(side) for side in (left, right))
        case ast.Name(id=name):
            return any(handler.name == name for handler in origin.scope.nodes(ast.ExceptHandler))
        case _:
            return False


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
