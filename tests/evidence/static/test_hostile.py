"""Files made to break the reader: each is answered, soon, and in words."""

import time

import pytest

TOO_DEEP = "too deeply nested to read"
DEEP = {
    "sums": "x = " + "+".join("x" * 3000),
    "signs": "x = " + "-" * 3000 + "1",
    "attributes": "x" + ".a" * 3000,
    "calls": "x" + "()" * 3000,
    "elifs": "if x: pass\n" + "elif x: pass\n" * 3000,
    "lambdas": "x = " + "lambda: " * 3000 + "1",
    "too nested for": "x = " + "-" * 100_000 + "1",
}


@pytest.mark.parametrize("source", DEEP.values(), ids=DEEP)
def test_what_is_nested_too_deeply_is_a_syntax_error(facts, source):
    fact = facts(source)["code.syntax_errors"]
    assert fact.value == 1
    assert fact.findings[0].message == TOO_DEEP


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("(" * 50_000, id="parentheses"),
        pytest.param("x = " + "9" * 5000, id="long integer"),
        pytest.param("".join(" " * i + "if x:\n" for i in range(200)), id="indentation"),
        pytest.param("\0" * 1000, id="null bytes"),
        pytest.param("'\ud800'", id="surrogate"),
        pytest.param("type Alias[T] = list[T]\ndef f[T](x: T) -> T: return x\nx = $", id="syntax of the future"),
        pytest.param("x = 1 if\u202e else", id="invisible characters"),
    ],
)
def test_anything_but_python_is_a_short_syntax_error(facts, source):
    fact = facts(source)["code.syntax_errors"]
    assert fact.value == 1
    assert 0 < len(fact.findings[0].message) < 200
    assert fact.findings[0].message.isprintable()


@pytest.mark.rotating
@pytest.mark.parametrize(
    "source",
    [
        pytest.param("x = 1\n" * 100_000, id="a hundred thousand lines"),
        pytest.param("def f(x):\n" + ("  x" + ".a()" * 200 + "\n") * 200, id="long chains"),
        pytest.param("".join(f"def f{i}(x):\n  return f{i + 1}(x)\n" for i in range(5000)), id="long call chains"),
        pytest.param(
            "def f(a):\n" + "    a.b(1); c(2)\n    d(3)\n    e = 4\n    g()\n    h()\n" * 3000, id="repetition"
        ),
        pytest.param("x = f'" + "{x}" * 15_000 + "'", id="one long f-string"),
    ],
)
@pytest.mark.parametrize("path", ["app.py", "test_app.py"])
def test_size_is_no_way_to_stall(facts, source, path):
    started = time.process_time()
    found = facts(source, path)
    assert time.process_time() - started < 60, "work that grows with the square of a size takes minutes"
    assert found["code.syntax_errors"].value == 0


def test_numbers_too_long_for_decimals_are_read(facts):
    number = "0x" + "f" * 5000
    step = f"    seen.append({number})\n    print(seen, {number})\n    total += {number}\n"
    base = f"class Seen(dict[{number}]):\n    def add(self):\n        dict[{number}].update(self)\n"
    found = facts(f"{base}def walk(seen, total):\n{step * 4}    return total\n")
    assert found["code.syntax_errors"].value == 0
    assert found["code.functions"].value == 2
    found = facts(f"def test_walk():\n    with pytest.raises({number}):\n        walk()\n", "test_app.py")
    assert found["code.syntax_errors"].value == 0


def test_what_is_too_large_is_left_unread_and_the_rest_is_read(facts):
    found = facts({"a.py": "x = 1\n" * 200_000, "b.py": "x = f'" + "{x}" * 30_000 + "'", "c.py": "def f(x): return x"})
    assert [finding.message for finding in found["code.syntax_errors"].findings] == ["too large to read"] * 2
    assert found["code.functions"].value == 1


def test_findings_are_few_and_names_are_short(facts):
    found = facts("def " + "f" * 100_000 + "(x):\n" + "    eval(x)\n" * 1000)
    fact = found["code.eval_calls"]
    assert fact.value == 1000
    assert len(fact.findings) == 20
    assert all(len(finding.message) < 120 for finding in fact.findings)


def test_reading_warns_nobody(facts, recwarn):
    facts("x = '\\d'\ny = 1 is 1\nassert (x, y)\n")
    assert not recwarn.list
