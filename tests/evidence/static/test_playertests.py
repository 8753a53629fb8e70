"""What the player's tests say about themselves."""

import pytest


def counts(found):
    return tuple(found[f"tests.{name}"].value for name in ("count", "asserts", "empty"))


@pytest.mark.parametrize(
    ("source", "count", "asserts", "empty"),
    [
        pytest.param("def test_a(): assert f() == 1", 1, 1, 0, id="plain"),
        pytest.param("async def test_a(): assert await f()", 1, 1, 0, id="async"),
        pytest.param("class TestA:\n    def test_a(self): assert f()", 1, 1, 0, id="class"),
        pytest.param(
            "class A(unittest.TestCase):\n    def test_a(self): self.assertEqual(f(), 1)", 1, 1, 0, id="unittest"
        ),
        pytest.param("def helper(): assert f()", 0, 1, 0, id="helper"),
        pytest.param("def test_a(): f()", 1, 0, 1, id="runs only"),
        pytest.param("def test_a(): pass", 1, 0, 1, id="empty"),
        pytest.param("def test_a(): assert True", 1, 0, 1, id="assert True"),
        pytest.param("def test_a(): assert 1 == 1", 1, 0, 1, id="assert a constant"),
        pytest.param("def test_a(): assert (f() == 1, 'message')", 1, 0, 1, id="assert a tuple"),
        pytest.param("class TestA:\n    def test_a(self): self.assertTrue(True)", 1, 0, 1, id="assertTrue(True)"),
        pytest.param("def test_a(self): self.assertEqual((f(), 1), (1, 1))", 1, 1, 0, id="compares tuples"),
        pytest.param("import pytest\ndef test_a():\n    with pytest.raises(ValueError): f()", 1, 1, 0, id="raises"),
        pytest.param(
            "from pytest import raises\ndef test_a():\n    with raises(ValueError): f()", 1, 1, 0, id="raises alias"
        ),
        pytest.param("def test_a():\n    if f() != 1: raise AssertionError", 1, 1, 0, id="by hand"),
        pytest.param("def test_a(mock): mock.assert_called_once()", 1, 1, 0, id="mock"),
        pytest.param("def check(x): assert x\ndef test_a(): check(f())", 1, 1, 0, id="through a helper"),
        pytest.param(
            "def deep(x): assert x\ndef check(x): deep(x)\ndef test_a(): check(f())", 1, 1, 0, id="through two"
        ),
        pytest.param("def check(x): print(x)\ndef test_a(): check(f())", 1, 0, 1, id="helper that asserts nothing"),
        pytest.param(
            "class TestA:\n    def check(self, x): assert x\n    def test_a(self): self.check(1)",
            1,
            1,
            0,
            id="helper method",
        ),
        pytest.param("def test_a():\n    for x in y:\n        assert f(x)\n        assert g(x)", 1, 2, 0, id="several"),
        pytest.param("", 0, 0, 0, id="no tests"),
    ],
)
def test_tests_and_their_assertions_are_counted(facts, source, count, asserts, empty):
    assert counts(facts(source, "test_app.py")) == (count, asserts, empty)


def test_a_test_that_asserts_nothing_is_found_as_one(facts):
    found = facts("def test_a(): print(f())\ndef test_b(): assert f()", "test_app.py")["tests.count"]
    assert [finding.message for finding in found.findings] == [
        "`test_a` has no assertion",
        "`test_b` is a test",
    ]


def test_helpers_in_other_test_files_count(facts):
    found = facts(
        {
            "tests/helpers.py": "def check(x):\n    assert x\n",
            "tests/test_a.py": "from helpers import check\ndef test_a():\n    check(1)\n",
            "tests/conftest.py": "def test_data(): return 1\n",
        }
    )
    assert counts(found) == (1, 1, 0)


def test_tests_are_no_code(facts):
    found = facts({"test_a.py": "def test_a():\n    print('a', 1)\n    assert f()\n", "a.py": "x = 1\n"})
    assert found["code.functions"].value == 0
    assert found["code.io_mixed"].value == 0


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("with pytest.raises(ValueError): f()", id="raises"),
        pytest.param("self.assertRaises(ValueError, f, 1)", id="assertRaises"),
        pytest.param("with self.assertRaisesRegex(ValueError, 'x'): f()", id="assertRaisesRegex"),
        pytest.param("with pytest.raises(SystemExit): main(['--bogus'])", id="exits"),
        pytest.param("with pytest.raises(SystemExit) as e: main([])\n    assert e.value.code == 2", id="exits with 2"),
        pytest.param("assert run('x').returncode == 1", id="returncode"),
        pytest.param("assert run('x').returncode != 0", id="not zero"),
        pytest.param("code = main(['x'])\n    assert code == 1", id="main by variable"),
        pytest.param("self.assertEqual(run('x').returncode, 1)", id="assertEqual"),
        pytest.param("self.assertNotEqual(main([]), 0)", id="assertNotEqual"),
    ],
)
def test_a_test_that_provokes_a_failure_is_a_failure_case(facts, body):
    assert facts(f"import pytest\ndef test_it(self):\n    {body}\n", "test_app.py")["tests.failure_cases"].value == 1


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("assert f() == 1", id="a result of 1"),
        pytest.param("assert main([]) == 0", id="success"),
        pytest.param("assert run('x').returncode == 10", id="a result told by exit code"),
        pytest.param("assert main([]) == EXIT_HEAT", id="a named result"),
        pytest.param("assert 'HEAT' in run('x').stderr", id="a result on stderr"),
        pytest.param("assert run('x').stderr == ''", id="silence"),
        pytest.param("value = calc('1 + 0')\n    assert value == 1", id="a value of 1"),
    ],
)
def test_a_test_of_good_behaviour_is_no_failure_case(facts, body):
    assert facts(f"import pytest\ndef test_it(self):\n    {body}\n", "test_app.py")["tests.failure_cases"].value == 0


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("def test_missing_file(): assert main(['x']) == expected", 1, id="name and assertion"),
        pytest.param(
            "class T(TestCase):\n    def testRejectsNegative(self): self.assertFalse(ok(-1))", 1, id="camel case"
        ),
        pytest.param("def test_missing_file(): main(['x'])", 0, id="name alone"),
        pytest.param("def test_unfailing(): assert f()", 0, id="part of a word"),
    ],
)
def test_a_name_about_failure_counts_if_something_is_asserted(facts, source, value):
    assert facts(source, "test_app.py")["tests.failure_cases"].value == value


@pytest.mark.parametrize(
    ("helper", "test", "value"),
    [
        pytest.param("def status(x): return run(x).returncode", "assert status('x') == 1", 1, id="status"),
        pytest.param("def status(x): return run(x).returncode", "assert status('x') == 0", 0, id="good status"),
        pytest.param("def count(x): return len(x)", "assert count('x') == 1", 0, id="no status"),
        pytest.param("def refused(x):\n    with raises(ValueError): f(x)", "refused('x')", 1, id="expects"),
        pytest.param("def refused(x):\n    assert run(x).returncode == 1", "refused('x')", 1, id="asserts"),
        pytest.param("def check(x, code): assert run(x).returncode == code", "check('x', code=0)", 0, id="told good"),
    ],
)
def test_a_refusal_that_a_helper_looks_at_is_a_failure_case(facts, helper, test, value):
    source = f"from pytest import raises\n{helper}\ndef test_it():\n    {test}\n"
    assert facts(source, "test_app.py")["tests.failure_cases"].value == value
