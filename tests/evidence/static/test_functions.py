"""Sizes, complexity and documentation of functions and classes."""

import pytest

NESTED = """
    class Box:
        def open(self):
            def inner(): pass
            return lambda: inner
        async def shut(self): pass
    def top(): pass
"""


def test_functions_methods_and_nested_functions_are_counted(facts):
    assert facts(NESTED)["code.functions"].value == 4


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        pytest.param("def f(): return 1\n", 1, id="one line"),
        pytest.param("def f():\n    x = 1\n\n    # why\n    return x\n", 3, id="blanks and comments aside"),
        pytest.param('def f():\n    """Doc\n\n    more."""\n    return 1\n', 2, id="docstring aside"),
        pytest.param("@a\n@b\ndef f():\n    return 1\n", 2, id="decorators aside"),
        pytest.param("def f(\n    a,\n    b,\n):\n    return a\n", 5, id="signature counts"),
        pytest.param(
            "def f():\n    def g():\n        return 1\n    return g\n", 2, id="an inner function is measured by itself"
        ),
        pytest.param("async def f():\n    await g()\n", 2, id="async"),
        pytest.param("x = 1\n", None, id="no function"),
    ],
)
def test_the_longest_function_is_measured_in_lines_of_code(facts, source, lines):
    assert facts(source)["code.longest_function"].value == lines


def test_the_worst_function_is_named_first(facts):
    fact = facts("def a(): pass\nclass C:\n    def b(self):\n        x = 1\n        return x\n")[
        "code.longest_function"
    ]
    assert fact.findings[0].message.startswith("`C.b` is 3 lines long")
    assert fact.findings[0].line == 3


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("def f(x):\n    return x\n", 0, id="straight"),
        pytest.param("def f(x):\n    if x:\n        return 1\n", 1, id="one branch"),
        pytest.param("def f(x):\n    for a in x:\n        if a:\n            return 1\n", 3, id="nesting weighs more"),
        pytest.param("def f(x):  # complexipy: ignore\n    if x:\n        return 1\n", 1, id="can't be waved away"),
        pytest.param(
            "def f(x):\n    if x:\n        a\n    elif y:\n        b\n    else:\n        c\n", 3, id="elif, else"
        ),
        pytest.param(
            "def f(x):\n    if x:\n        a\n    else:\n        if y:\n            b\n", 4, id="if within else"
        ),
        pytest.param("def f(x):\n    while x:\n        a\n    else:\n        b\n", 1, id="else of a loop"),
        pytest.param(
            "def f():\n    try:\n        a\n    except E:\n        if b: c\n    else:\n        if d: e\n",
            4,
            id="handler",
        ),
        pytest.param("def f(x):\n    return a and b and c or d\n", 2, id="sequences of like operators"),
        pytest.param("def f(x):\n    return a and (b and c)\n", 1, id="brackets don't begin a sequence"),
        pytest.param("def f(x):\n    return 1 if x else 2 if y else 3\n", 3, id="conditional expressions"),
        pytest.param("def f(x):\n    return [a for a in b for c in d if e]\n", 3, id="comprehension"),
        pytest.param("def f(x):\n    return sorted(x, key=lambda a: 1 if a else 2)\n", 2, id="a lambda is a level"),
        pytest.param("def f(x):\n    match x:\n        case 1:\n            if a: b\n", 3, id="match"),
        pytest.param("def f(x):\n    g(k=a or b)[c and d]\n    return f'{e or h}'\n", 3, id="wherever it stands"),
        pytest.param(
            "def f(x):\n    def g():\n        if a: b\n    for c in d: g()\n", 1, id="an inner function by itself"
        ),
        pytest.param(f"x = {' + '.join('1' * 150)}\n", 0, id="as deep as it gets"),
        pytest.param("for a in x:\n    if a:\n        pass\n", 3, id="module body counts"),
    ],
)
def test_complexity_is_cognitive(facts, source, value):
    assert facts(source)["code.max_complexity"].value == value


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("x = 1", None, id="nothing public"),
        pytest.param("def _f(): pass\nclass _C:\n    def g(self): pass", None, id="all private"),
        pytest.param('def f():\n    """Doc."""\ndef g(): pass', 0.5, id="half"),
        pytest.param('class C:\n    """Doc."""\n    def __init__(self): pass', 1.0, id="magic methods aside"),
        pytest.param('class C:\n    """Doc."""\n    def m(self): pass', 0.5, id="methods count"),
        pytest.param('def f():\n    """Doc."""\n    def g(): pass', 1.0, id="nested functions aside"),
        pytest.param('def f():\n    """Doc."""\n@f.setter\ndef f(x): pass', 1.0, id="setters aside"),
        pytest.param("def f():\n    'x' + 'y'", 0.0, id="an expression is no docstring"),
    ],
)
def test_docstrings_are_a_share_of_what_is_public(facts, source, value):
    assert facts(source)["code.docstring_share"].value == value


CLOSURE = """
def make(rows):
    def one(row):
        if row:
            for cell in row:
                if cell:
                    return cell
        return None

    def two(row):
        return one(row) if row else None

    return one, two
"""


def test_inner_functions_are_measured_by_themselves(facts):
    found = facts(CLOSURE)
    assert found["code.longest_function"].value == 6
    assert found["code.max_complexity"].value == 6


@pytest.mark.parametrize(
    "line", ["SIZE = len('abc') + 4", "TABLE = {c: i for i, c in enumerate('abc')}", "LAST = max([1, 2], key=abs)"]
)
def test_building_a_value_on_import_has_no_effect(facts, line):
    assert facts(f"{line}\n")["code.module_level_statements"].value == 0
