"""What counts as a pure function, and what as a write to shared state."""

import pytest


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f(a, b):\n    return a + b", id="arithmetic"),
        pytest.param("def f(a):\n    if a < 0:\n        raise ValueError(a)\n    return a", id="may raise"),
        pytest.param("def f(rows):\n    for row in rows:\n        yield row", id="generator"),
        pytest.param("def f(a):\n    out = []\n    out.append(a)\n    return out", id="changes its own list"),
        pytest.param("def f(a):\n    a = list(a)\n    a.sort()\n    return a", id="copies before it changes"),
        pytest.param("def f(a):\n    d = {}\n    d[a] = 1\n    return d", id="fills its own dict"),
        pytest.param("def f(a, **kw):\n    kw['x'] = a\n    return kw", id="keywords are its own"),
        pytest.param("class C:\n    def f(self):\n        return self.x * self.y", id="method that reads self"),
        pytest.param("class C:\n    @property\n    def f(self):\n        return self.x", id="property"),
        pytest.param("import os\ndef f(a):\n    return os.path.join(a, 'b')", id="path arithmetic"),
        pytest.param("import random\ndef f(seed):\n    return random.Random(seed).random()", id="seeded"),
        pytest.param("import math\ndef f(a):\n    return math.log(a)", id="math.log logs nothing"),
        pytest.param("import json\ndef f(a):\n    return json.loads(a)", id="parses text"),
        pytest.param("def f(a):\n    return a.replace('x', 'y').split()", id="text"),
        pytest.param("import csv\ndef f(text):\n    return list(csv.DictReader(text.splitlines()))", id="csv of text"),
        pytest.param(
            "import io\ndef f(a):\n    b = io.StringIO()\n    b.write(a)\n    return b.getvalue()", id="buffer"
        ),
        pytest.param("async def f(a):\n    return await a", id="async"),
        pytest.param("def f(a):\n    match a:\n        case [x, *_]:\n            return x\n    return 0", id="match"),
        pytest.param("def f(a):\n    return (b := a + 1) * b", id="walrus"),
        pytest.param("f = 1\ndef g(a):\n    def print(x): return x\n    return print(a)", id="own print"),
    ],
)
def test_functions_that_only_give_back_a_value_are_pure(facts, source):
    assert facts(source)["code.pure_functions"].value >= 1


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f(a):\n    print(a)\n    return a", id="print"),
        pytest.param("def f(p):\n    return open(p).read()", id="open"),
        pytest.param("def f(p):\n    return p.read_text()", id="path"),
        pytest.param("from json import load as get\ndef f(h):\n    return get(h)", id="alias"),
        pytest.param("import sys\ndef f(a):\n    sys.exit(a)\n    return a", id="exit"),
        pytest.param("def f(a):\n    raise SystemExit(2)\n    return a", id="raise SystemExit"),
        pytest.param("import logging\ndef f(a):\n    logging.info(a)\n    return a", id="logging"),
        pytest.param("def f(a, log):\n    log.info(a)\n    return a", id="logger"),
        pytest.param("def f(a):\n    global g\n    g = a\n    return a", id="global"),
        pytest.param("g = []\ndef f(a):\n    g.append(a)\n    return a", id="module list"),
        pytest.param("def f(a):\n    a.append(1)\n    return a", id="argument list"),
        pytest.param("def f(a):\n    a.x = 1\n    return a", id="argument attribute"),
        pytest.param("def f(a):\n    a['x'] += 1\n    return a", id="argument item"),
        pytest.param("def f(a):\n    del a[0]\n    return a", id="argument deletion"),
        pytest.param("import heapq\ndef f(a):\n    heapq.heappush(a, 1)\n    return a", id="heap"),
        pytest.param("class C:\n    def f(self):\n        self.n += 1\n        return self.n", id="self"),
        pytest.param("import time\ndef f(a):\n    return a + time.time()", id="clock"),
        pytest.param("import random\ndef f(a):\n    return random.choice(a)", id="chance"),
        pytest.param("import os\ndef f(a):\n    return os.environ[a]", id="environment"),
        pytest.param("def f(a):\n    a + 1", id="no result"),
        pytest.param("def f(a):\n    return None", id="None"),
        pytest.param("def f(a):\n    return g(a)\ndef g(a):\n    print(a)\n    return a", id="calls impure"),
        pytest.param(
            "class C:\n    def f(self):\n        return self.g()\n    def g(self):\n        return input()",
            id="calls impure method",
        ),
    ],
)
def test_any_side_effect_makes_a_function_impure(facts, source):
    assert facts(source)["code.pure_functions"].value == 0


def test_impurity_is_followed_across_files(facts):
    found = facts(
        {
            "app.py": "from store import load\ndef total(path):\n    return sum(load(path))\n",
            "store.py": "def load(path):\n    return open(path).readlines()\n",
        }
    )
    assert found["code.pure_functions"].value == 0


def test_entry_points_magic_and_parameterless_ones_are_left_out(facts):
    found = facts(
        """
        class C:
            def __init__(self, x): self.x = x
            def __len__(self): return self.x
        def build(): return C(1)
        def main(argv): print(argv)
        def half(x): return x / 2
        """
    )
    assert found["code.pure_functions"].value == 1


def test_a_pure_function_called_by_the_main_guard_stays_pure(facts):
    found = facts(
        """
        import sys
        def half(x): return x / 2
        def show(x): print(x)
        if __name__ == "__main__":
            show(half(float(sys.argv[1])))
        """
    )
    assert found["code.pure_functions"].value == 1


COMMAND = "ALL = {}\ndef command(name):\n    def add(f):\n        ALL[name] = f\n    return add\n"
MEMO = "KEPT = {}\ndef f(n):\n"


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


WORDS = "def words(name):\n    return 'Thwack! ' + name\n"


@pytest.mark.parametrize(
    "use",
    [
        pytest.param("def go(a):\n    if words(a) != '':\n        print(a)", id="compared"),
        pytest.param("def go(a):\n    if len(words(a)) > 0:\n        print(a)", id="measured"),
        pytest.param("def go(a):\n    text = words(a)\n    if text:\n        print(a)", id="kept, then tested"),
        pytest.param("def go(a):\n    text = words(a)\n    print(a)", id="kept, never read"),
        pytest.param("def go(a):\n    assert words(a)\n    print(a)", id="asserted"),
        pytest.param("def go(a):\n    if (text := words(a)) and a:\n        print(a)", id="walrus"),
    ],
)
def test_an_answer_that_nothing_depends_on_is_none(facts, use):
    assert facts(WORDS + use)["code.pure_functions"].value == 0


@pytest.mark.parametrize(
    "use",
    [
        pytest.param("def go(a):\n    print(words(a))", id="printed"),
        pytest.param("def go(a):\n    text = words(a)\n    if text:\n        print(text)", id="tested and printed"),
        pytest.param("def go(a):\n    if words(a) == a:\n        return 2\n    return 0", id="leaves"),
        pytest.param("def go(a):\n    if words(a):\n        print(a)\n    else:\n        print(0)", id="two ways"),
        pytest.param("def go(a):\n    return [b for b in a if words(b) != '']", id="sieve"),
        pytest.param("def go(a):\n    text = words(a)\n    def tell():\n        print(text)\n    tell()", id="lent"),
        pytest.param("def go(a, all):\n    if words(a) not in all:\n        return\n    print(a)", id="guard"),
    ],
)
def test_an_answer_that_decides_or_goes_on_counts(facts, use):
    assert facts(WORDS + use)["code.pure_functions"].value >= 1


def test_a_predicate_counts_where_it_is_only_tested(facts):
    source = "def small(a):\n    return a < 3\ndef go(b):\n    for a in b:\n        if small(a):\n            print(a)"
    assert facts(source)["code.pure_functions"].value == 1
