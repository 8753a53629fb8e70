"""Which faults are seeded into code, which code is left alone, and how faults are chosen and put on their way."""

import ast
import json
import textwrap
from dataclasses import replace
from types import CodeType

import pytest

from evalforge.evidence.suite.candidates import find_mutants
from evalforge.evidence.suite.jobs import Baseline, JobKind, PassingTest, plan_jobs, sample_mutants
from evalforge.evidence.suite.mutant import Mutant


def faults(text: str) -> list[Mutant]:
    return find_mutants("a.py", textwrap.dedent(text))[0]


def changes(text: str) -> set[str]:
    return {fault.description.replace("`", "") for fault in faults(text)}


def in_function(body: str) -> str:
    return "def f(a, b, c):\n" + textwrap.indent(textwrap.dedent(body).strip(), "    ") + "\n"


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("x = a < b", "a < b changed to a <= b"),
        ("x = a >= b", "a >= b changed to a > b"),
        ("x = a == b", "a == b changed to a != b"),
        ("x = a in b", "a in b changed to a not in b"),
        ("x = a <= b < c", "a <= b < c changed to a < b < c"),
        ("x = a and b", "a and b changed to a or b"),
        ("x = not a", "not a changed to a"),
        ("x = -a", "-a changed to a"),
        ("x = a + b", "a + b changed to a - b"),
        ("x = a // b", "a // b changed to a / b"),
        ("x = 5", "5 changed to 6"),
        ("x = True", "True changed to False"),
        ("x = 0.5", "0.5 changed to 1.5"),
        ("return a", "a changed to None"),
        ('return "HEAT"', "\"HEAT\" changed to 'HEAT?'"),
        ('x = a["key"]', "\"key\" changed to 'key?'"),
        ('x = a.get("key")', "\"key\" changed to 'key?'"),
        ('x = a == "key"', "\"key\" changed to 'key?'"),
        ("if a.b: pass", "a.b changed to not a.b"),
        ("x = a if b else c", "a if b else c changed to a if not b else c"),
        ("raise ValueError(a)", "raise ValueError(a) taken away"),
        ("a.append(b)", "a.append(b) taken away"),
        ("a.b = c", "a.b = c taken away"),
        ("a += b", "a += b taken away"),
        ("while a: break", "break changed to pass"),
        ("while a: continue", "continue changed to break"),
        ("x = [i for i in a if i > 3]", "i > 3 changed to i >= 3"),
        ("try:\n    pass\nexcept OSError:\n    return 1", "1 changed to 2"),
        ("match a:\n    case 1 if b > 2:\n        return 3", "b > 2 changed to b >= 2"),
        ("p.add_argument('--x', required=True)", "True changed to False"),
    ],
)
def test_faults_are_those_that_people_make(code: str, change: str) -> None:
    assert change in changes(in_function(code))


@pytest.mark.parametrize(
    "code",
    [
        '"""Words."""',
        "__version__ = '1.0'",
        "import os",
        "x: int",
        "assert a > 1",
        "if __name__ == '__main__':\n    main(1)",
        "if TYPE_CHECKING:\n    y = 3",
        "log = logging.getLogger('x')",
        "logging.basicConfig(level=10)",
        "@decorate(3)\ndef g():\n    pass",
        "def g(a: Literal[3]) -> Literal[4]:\n    pass",
    ],
)
def test_what_no_test_must_notice_is_left_alone(code: str) -> None:
    assert faults(code) == []


@pytest.mark.parametrize(
    "code",
    [
        "log.info('at %d', 3)",
        "self._logger.warning('x', 1 + 2)",
        "warnings.warn('x', stacklevel=2)",
        "time.sleep(0.1)",
        "super().__init__()",
        "parser = argparse.ArgumentParser(prog='x', description='y')",
        "x = 'a message'",
        "x = f'{a + 1}'",
        "assert a == 1, 'x'",
    ],
)
def test_words_logs_and_waits_are_left_alone(code: str) -> None:
    assert changes(in_function(code)) == set()


EVERYTHING = '''
"""Doc — with “wide” characters."""
LIMIT = 3; OTHER = {"é": 1, "b": 2}
class C:
    size = 10
    def m(self, n=5):
        if (n
                > self.size) and not \\
                n == 7:  # comment > here
            raise ValueError(
                "é", n)
        return [x * 2 for x in range(n) if x
                != 3]
async def g(a, *, b=2):
    """Doc."""
    for i in a:
        if i: continue
        break
    await a(b + 1)
    async with a as c: c.x = 1
    return (a,
            b), lambda q: q + 1
'''


def test_every_fault_leaves_valid_code_with_lines_in_place() -> None:
    content = EVERYTHING.encode()
    found, rewordings = find_mutants("a.py", EVERYTHING)
    assert len(found) > 25
    for fault in [*found, *rewordings]:
        changed = content[: fault.start] + fault.replacement.encode() + content[fault.end :]
        tree = ast.parse(changed)
        compile(changed, "a.py", "exec")
        assert changed.count(b"\n") == content.count(b"\n"), fault
        assert [node.lineno for node in tree.body] == [node.lineno for node in ast.parse(content).body]
        assert content[fault.start : fault.end].decode() == fault.original


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_places_are_right_whatever_ends_a_line(ending: str) -> None:
    text = ending.join(["def f(a):", "    if a < 3:", "        return 1", "    return 2", ""])
    assert {fault.original for fault in find_mutants("a.py", text)[0]} == {"a < 3", "3", "1", "2"}


def test_a_byte_order_mark_moves_nothing() -> None:
    (fault,), _ = find_mutants("a.py", "\ufeffX = 3\n")
    assert fault.original == "3"


def test_rewordings_do_not_change_what_code_does() -> None:
    text = in_function("x = a + b, c\nif x[0] > 2:\n    return x\nreturn 'no'")
    content = text.encode()
    for fault in find_mutants("a.py", text)[1]:
        space: dict[str, object] = {}
        exec(content[: fault.start] + fault.replacement.encode() + content[fault.end :], space)
        function = space["f"]
        assert callable(function)
        assert (function(1, 2, 3), function(0, 0, 0)) == ((3, 3), "no"), fault


def test_rewordings_come_in_many_forms_and_change_nothing() -> None:
    (fault, *_), rewordings = find_mutants("a.py", in_function("return a > 2"))
    forms = {reworded.replacement for reworded in rewordings}
    assert len(forms) == len(rewordings) >= 8
    assert [form for form in forms if fault.replacement.strip("()") in form and "a > 2" in form]


def module(lines: int) -> str:
    return "".join(f"def f{n}(a, b):\n    return a + b * {n}\n\n\n" for n in range(lines))


def test_a_sample_is_spread_over_functions() -> None:
    chosen = sample_mutants(faults(module(20)), 20)
    assert len({fault.scope for fault in chosen}) == 20


def test_a_function_keeps_its_faults_whatever_precedes_it() -> None:
    before = [fault.description for fault in sample_mutants(faults(module(3)))]
    after = [fault.description for fault in sample_mutants(faults("import os\n\n\n" + module(3)))]
    assert before == after


def test_few_faults_come_from_one_line() -> None:
    assert len(sample_mutants(faults(in_function("return a + b + c + 1 + 2 + 3 + 4")))) == 3


def reached(*names: str, lines: range = range(100), seconds: float = 0.001) -> tuple[PassingTest, ...]:
    return tuple(PassingTest(name, seconds, {"a.py": frozenset(lines)}) for name in names)


def test_requests_do_not_tell_controls_from_faults() -> None:
    found, rewordings = find_mutants("a.py", module(8))
    jobs = plan_jobs(sample_mutants(found), rewordings, Baseline(reached("t::a"), {}, 0.0)).jobs
    controls = [job for job in jobs if job.kind is JobKind.CONTROL]
    assert len(controls) >= 8
    shapes = {json.dumps(sorted(job.as_request(number))) for number, job in enumerate(jobs)}
    assert len(shapes) == 1
    assert "control" not in shapes.pop()


def test_every_function_gets_a_control_before_a_second() -> None:
    found, rewordings = find_mutants("a.py", module(4))
    jobs = plan_jobs(sample_mutants(found), rewordings, Baseline(reached("t::a"), {}, 0.0)).jobs
    assert len({job.mutant.scope for job in jobs if job.kind is JobKind.CONTROL}) == 4


def bytecode(text: str) -> list[tuple[bytes, str]]:
    functions = [part for part in compile(text, "", "exec").co_consts if isinstance(part, CodeType)]
    return [(function.co_code, repr(function.co_consts)) for function in functions]


@pytest.mark.parametrize("body", ["x = 0\nreturn 1", "x = 'a', 'b'\nreturn x", "return a + b"])
def test_tests_that_look_at_bytecode_pass_no_control(body: str) -> None:
    text = in_function(body)
    found, rewordings = find_mutants("a.py", text)
    for _ in range(20):
        jobs = plan_jobs(found, rewordings, Baseline(reached("t::a"), {}, 0.0)).jobs
        controls = [job.mutant for job in jobs if job.kind is JobKind.CONTROL]
        texts = [text[: fault.start] + fault.replacement + text[fault.end :] for fault in controls]
        assert len(controls) >= 8
        assert all(bytecode(other) != bytecode(text) for other in texts)


def test_a_fault_is_tried_on_covering_tests_quickest_first() -> None:
    tests = (
        *reached("slow", seconds=0.2),
        *reached("far", lines=range(50, 60)),
        *reached("quick", seconds=0.1),
    )
    found, rewordings = find_mutants("a.py", in_function("return a > b"))
    plan = plan_jobs(found, rewordings, Baseline(tests, {}, 0.0))
    assert {job.tests for job in plan.jobs if job.kind is JobKind.FAULT} == {("quick", "slow")}
    assert plan.unreached == ()


def test_tests_that_speak_of_a_fault_meet_it_first() -> None:
    names = ("t.py::test_sorts", "t.py::testRefusesACycle", "t.py::test_cycles_and_refusals")
    tests = (*reached(names[0], seconds=0.1), *reached(names[1], seconds=0.15), *reached(names[2], seconds=0.4))
    found, rewordings = find_mutants("a.py", in_function("return a > b"))
    impostors = [replace(each, meaning="CYCLES: a cycle of two is not refused.") for each in found]
    plan = plan_jobs(impostors, rewordings, Baseline(tests, {}, 0.0))
    assert {job.tests for job in plan.jobs if job.kind is JobKind.FAULT} == {(names[1], names[0], names[2])}


def test_a_fault_that_no_test_comes_by_is_not_tried() -> None:
    found, rewordings = find_mutants("a.py", in_function("return a > b"))
    plan = plan_jobs(found, rewordings, Baseline(reached("far", lines=range(50, 60)), {}, 0.0))
    assert plan.jobs == ()
    assert plan.unreached == tuple(found)


def test_import_time_code_is_reloaded_and_tried_on_every_test() -> None:
    found, rewordings = find_mutants("a.py", "LIMIT = 3\n")
    jobs = plan_jobs(found, rewordings, Baseline(reached("a", "b", lines=range(0)), {}, 0.0)).jobs
    assert all(not job.is_live and set(job.tests) == {"a", "b"} for job in jobs)
    assert [job.mutant.replacement for job in jobs if job.kind is JobKind.CONTROL] == ["3"] * 8


def test_a_control_on_import_is_tried_on_every_test() -> None:
    found, rewordings = find_mutants("a.py", "LIMIT = 3\n" + in_function("return a > b"))
    tests = (*reached("near"), *reached("far", lines=range(50, 60)))
    jobs = plan_jobs(found, rewordings, Baseline(tests, {}, 0.0)).jobs
    reloaded = [job for job in jobs if job.kind is JobKind.CONTROL and not job.is_live]
    assert reloaded
    assert all({"near", "far"} == set(job.tests) for job in reloaded)
