"""What counts as a write to shared state."""

import pytest

MEMO = "KEPT = {}\ndef f(n):\n"
COMMAND = "ALL = {}\ndef command(name):\n    def add(f):\n        ALL[name] = f\n    return add\n"


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("n = 0\ndef f():\n    global n\n    n += 1", 1, id="global"),
        pytest.param("CACHE = {}\ndef f(k):\n    CACHE[k] = 1", 1, id="module dict"),
        pytest.param("SEEN = []\ndef f(k):\n    SEEN.append(k)", 1, id="module list"),
        pytest.param("class C: n = 0\ndef f():\n    C.n += 1", 1, id="class attribute"),
        pytest.param("import settings\ndef f():\n    settings.DEBUG = True", 1, id="another module"),
        pytest.param("import os\ndef f():\n    os.environ['A'] = '1'", 1, id="environment"),
        pytest.param("CACHE = {}\ndef f():\n    CACHE = {}\n    CACHE[1] = 1", 0, id="local namesake"),
        pytest.param(f"{COMMAND}@command('a')\ndef f(): pass", 0, id="registry of a decorator"),
        pytest.param(f"{COMMAND}def f(g): return command('a')(g)", 1, id="registry filled later"),
        pytest.param(f"{COMMAND}@command\ndef f(a): pass", 1, id="wrapper"),
        pytest.param("ALL = []\ndef add(f): ALL.append(f)\n@add\ndef g(): pass", 0, id="plain decorator"),
        pytest.param("ALL = []\nclass A:\n    def __init_subclass__(cls): ALL.append(cls)", 0, id="subclasses"),
        pytest.param("ALL = []\nclass A:\n    def __init__(self): ALL.append(self)", 1, id="objects"),
        pytest.param(f"{MEMO}    if n not in KEPT: KEPT[n] = work(n)\n    return KEPT[n]", 0, id="memo"),
        pytest.param(f"{MEMO}    kept = KEPT[n] = work(n)\n    return kept", 0, id="memo by name"),
        pytest.param(f"{MEMO}    KEPT[n] = KEPT.get(n, 0) + 1\n    return KEPT[n]", 1, id="count"),
        pytest.param(f"{MEMO}    last = KEPT.get(n)\n    KEPT[n] = now()\n    return last is None", 1, id="last call"),
        pytest.param("KEPT = {}\ndef f(n, m):\n    KEPT[n] = work(n, m)\n    return KEPT[n]", 1, id="half a key"),
        pytest.param(f"{MEMO}    KEPT[n] = work(n)\n    return KEPT[n]\ndef g(): KEPT.clear()", 2, id="others know it"),
        pytest.param("class A: pass\nclass B(A):\n    def clear(self): A.clear(self)", 0, id="method of a parent"),
        pytest.param("class A: pass\nclass B:\n    def add(self): A.add(self)", 1, id="method of another class"),
        pytest.param("CACHE = {}\ndef f(CACHE):\n    CACHE[1] = 1", 0, id="parameter namesake"),
        pytest.param("CACHE = {1: 2}\ndef f(k):\n    return CACHE[k]", 0, id="reading"),
        pytest.param("import logging\nlog = logging.getLogger()\ndef f():\n    log.info(1)", 0, id="logging"),
        pytest.param("class C:\n    def f(self):\n        self.x = 1", 0, id="own state"),
        pytest.param("from book import Book\ndef f(x):\n    Book(x).add(1)", 0, id="an object made just now"),
        pytest.param(
            "from decimal import Context\nEXACT = Context()\ndef f(a, b):\n    return EXACT.add(a, b)", 0, id="a sum"
        ),
        pytest.param(
            "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n    return g", 0, id="closure"
        ),
    ],
)
def test_writes_to_shared_state_are_counted(facts, source, value):
    assert facts(source)["code.global_writes"].value == value
