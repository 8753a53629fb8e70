"""What a boss's trials promise to test: groups and titles, read from the files without running them."""

import ast
from pathlib import Path


def trial_groups(folder: Path) -> dict[str, list[str]]:
    """Titles (first lines of docstrings) of all trials, by group, in the order they stand."""
    groups: dict[str, list[str]] = {}
    for path in sorted(folder.glob("test_*.py")):
        try:
            tree = ast.parse(path.read_text("utf-8"))
        except (OSError, SyntaxError, ValueError):
            continue
        module_group = next((found for node in tree.body if (found := _of_module(node))), "other")
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                marks = (_group(mark) for mark in node.decorator_list)
                group = next((mark for mark in marks if mark), module_group)
                title = (ast.get_docstring(node) or node.name).splitlines()[0]
                groups.setdefault(group, []).append(title)
    return groups


def _of_module(node: ast.stmt) -> str:
    """The group of ``pytestmark = pytest.mark.group("name")``, alone or in a list."""
    if not isinstance(node, ast.Assign):
        return ""
    if not any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets):
        return ""
    marks = node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value]
    return next((found for mark in marks if (found := _group(mark))), "")


def _group(mark: ast.expr) -> str:
    is_group = isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute) and mark.func.attr == "group"
    if not is_group or not isinstance(mark, ast.Call) or not mark.args or not isinstance(mark.args[0], ast.Constant):
        return ""
    return str(mark.args[0].value)
