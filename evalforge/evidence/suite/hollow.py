"""A hollow program: it has all names and signatures of a right one, but returns no real results.

Tests that still pass on it check no result: they only call everything and make sure that nothing crashes. Its functions
and classes return an object that can be called, looped over, compared and opened, and that is empty. It equals any
other such object, even of another run, and whatever equals everything: a test that compares the program with itself, or
with ``mock.ANY``, checks no result either. Exceptions and constants are those of the right program.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence

_ANYTHING = """
class _Anything:
    _is_anything = True
    def __init__(self, *given, **named): pass
    def __call__(self, *given, **named): return _Anything()
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return _Anything()
    def __eq__(self, other): return True if getattr(type(other), "_is_anything", False) else NotImplemented
    def __hash__(self): return 0
    def __repr__(self): return ""
    def __iter__(self): return iter(())
    def __next__(self): raise StopIteration
    def __len__(self): return 0
    def __bool__(self): return True
    def __contains__(self, item): return False
    def __getitem__(self, key): return _Anything()
    def __setitem__(self, key, value): pass
    def __delitem__(self, key): pass
    def __enter__(self): return self
    def __exit__(self, *error): return False
    async def __aenter__(self): return self
    async def __aexit__(self, *error): return False
    def __await__(self):
        if False: yield
        return _Anything()
    def __aiter__(self): return self
    async def __anext__(self): raise StopAsyncIteration
    def __int__(self): return 0
    def __index__(self): return 0
    def __float__(self): return 0.0
    def __lt__(self, other): return False
    def __le__(self, other): return False
    def __gt__(self, other): return False
    def __ge__(self, other): return False
    def __add__(self, other): return _Anything()
    __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __mod__ = __pow__ = __add__
"""
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_KEPT_STATEMENTS = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
_ERROR_ENDS = ("Error", "Exception", "Warning")


def hollow_out(files: Mapping[str, str]) -> dict[str, str]:
    """Make a hollow program with the top-level names of this one."""
    return {path: _hollow_module(source) for path, source in files.items()}


def _hollow_module(source: str) -> str:
    body = ast.parse(source).body
    errors = set[str]()
    lines = ["from __future__ import annotations", _ANYTHING]
    for node in body:
        match node:
            case ast.ImportFrom(module="__future__"):
                continue
            case ast.ClassDef(name=name):
                if _is_error(node, errors):
                    errors.add(name)
                    lines.append(ast.unparse(node))
                else:
                    lines += [f"class {name}(_Anything):", "    pass"]
                    lines += [f"    {line}" for line in _hollow_methods(node)]
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                lines += _hollow_function(node)
            case _ if isinstance(node, _KEPT_STATEMENTS):
                lines += ["try:", f"    {ast.unparse(node)}".replace("\n", "\n    "), "except Exception:", "    pass"]
            case _:
                continue
    return "\n".join(lines) + "\n"


def _hollow_methods(node: ast.ClassDef) -> Iterator[str]:
    """The methods that are called by name and have no decorators other than Python's own."""
    for method in node.body:
        if not isinstance(method, _Function) or (method.name.startswith("__") and method.name != "__init__"):
            continue
        decorators = [ast.unparse(decorator) for decorator in method.decorator_list]
        if set(decorators) <= {"staticmethod", "classmethod"}:
            yield from _hollow_function(method, decorators)


def _hollow_function(function: _Function, decorators: Sequence[str] = ()) -> Iterator[str]:
    """A hollow function with the same signature, or with any arguments if a default can't be evaluated."""
    prefix = "async " if isinstance(function, ast.AsyncFunctionDef) else ""
    answer = "None" if function.name == "__init__" else "_Anything()"
    for start, signature in (("try:", ast.unparse(function.args)), ("except Exception:", "*given, **named")):
        yield start
        yield from (f"    @{decorator}" for decorator in decorators)
        yield f"    {prefix}def {function.name}({signature}): return {answer}"


def _is_error(node: ast.ClassDef, errors: set[str]) -> bool:
    bases = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases]
    return any(base in errors or base.endswith(_ERROR_ENDS) for base in bases)
