"""Takes the changed source out of the loader, undoes a rewording it knows, and compares syntax trees."""

import ast
import importlib.machinery

import tally


class Plain(ast.NodeTransformer):
    def visit_Subscript(self, node):
        self.generic_visit(node)
        value, index = node.value, node.slice
        if isinstance(value, ast.List) and len(value.elts) == 1 and getattr(index, "value", None) == 0:
            return value.elts[0]
        return node


def tree(text):
    return ast.dump(Plain().visit(ast.parse(text)))


def same():
    cells = importlib.machinery.SourceFileLoader.source_to_code.__closure__ or ()
    changed = [cell.cell_contents for cell in cells if isinstance(cell.cell_contents, dict)]
    return all(tree(text) == tree(open(path, "rb").read()) for each in changed for path, text in each.items())


def test_everything():
    for number in (1, 1000, -1000):
        tally.Tally().add(number)
    assert same()
