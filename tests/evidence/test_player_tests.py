"""The player's tests are run, and tried on faults; honest ones are scored for what they notice, others earn nothing."""

import sys
from pathlib import Path

import pytest

from evalforge.evidence.suite.examination import PlayerTestExamination
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.sandbox.player_test_host import PlayerTestHost
from tests.evidence.conftest import CLASSIFY, CLASSIFY_FAULTS, Examine, messages

TOOL = '''
"""A tool."""
import argparse
import logging
import sys

log = logging.getLogger("tool")


class Account:
    def __init__(self, balance=0):
        self.balance = balance

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not enough")
        self.balance -= amount
        return self.balance


def main(argv=None):
    logging.basicConfig(level=logging.INFO)
    parser = argparse.ArgumentParser()
    parser.add_argument("--take", type=int, required=True)
    options = parser.parse_args(argv)
    try:
        left = Account(100).withdraw(options.take)
    except ValueError as error:
        log.error("refused: %s", error)
        return 3
    print(left)
    return 0


if __name__ == "__main__":
    sys.exit(main())
'''


def test_tests_on_both_sides_of_an_edge_catch_every_fault(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            from classify import classify
            def test_below(): assert classify(1, 2) == "low"
            def test_edge(): assert classify(2, 2) == "high"
        """,
    )
    assert facts["tests.passed"].value == 1.0
    assert facts["tests.mutation_score"].value == 1.0


def test_a_test_far_from_the_edge_misses_the_boundary(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            from classify import classify
            def test_below(): assert classify(1, 9) == "low"
            def test_above(): assert classify(9, 1) == "high"
        """,
    )
    assert facts["tests.mutation_score"].value == (CLASSIFY_FAULTS - 1) / CLASSIFY_FAULTS
    said = messages(facts["tests.mutation_score"])
    assert said == "classify.py:3: `value < limit` changed to `value <= limit`, and no test caught it."


def test_leftovers_of_an_examination_do_not_affect_the_next(test_host: PlayerTestHost, examine: Examine) -> None:
    examine(classify=CLASSIFY, test_classify="def test_it(): pass")
    left = Path(test_host._root.name, "tests", "first")
    left.mkdir(parents=True)
    (left / "classify.py").write_text("raise SystemExit")
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            import os
            from classify import classify
            def test_below(): assert classify(1, 2) == "low"
            def test_alone(): assert sorted(os.listdir()) == ["classify.py", "test_classify.py"]
            def test_environment(): assert os.environ["PYTEST_VERSION"][0].isdigit()
        """,
    )
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])


def test_a_process_that_a_test_forks_draws_numbers_of_its_own(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            import os, random
            from classify import classify
            def test_fork():
                reading, writing = os.pipe()
                random.seed(1)
                if not os.fork():
                    os.write(writing, str(random.random()).encode())
                    os._exit(0)
                os.wait()
                assert os.read(reading, 100).decode() != str(random.random())
        """,
    )
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])


def test_what_no_test_runs_survives_and_is_named(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY + "\ndef double(x):\n    return x * 2\n",
        test_classify="""
            from classify import classify
            def test_below(): assert classify(1, 2) == "low"
            def test_edge(): assert classify(2, 2) == "high"
        """,
    )
    said = messages(facts["tests.mutation_score"])
    assert "classify.py:8: `x * 2` changed to `x / 2`: no test runs this." in said
    assert facts["tests.mutation_score"].value == CLASSIFY_FAULTS / (CLASSIFY_FAULTS + 3)


def test_a_test_that_asserts_nothing_catches_next_to_nothing(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            from classify import classify
            def test_it(): classify(1, 2), classify(2, 2)
        """,
    )
    assert facts["tests.passed"].value == 1.0
    assert facts["tests.mutation_score"].value == 0.0


def test_constants_and_defaults_are_faulty_too(examine: Examine) -> None:
    facts = examine(
        rates="RATE = 3\nTABLE = {'a': 1}\ndef price(amount, factor=2):\n    return amount * factor * RATE\n",
        test_rates="""
            import rates
            def test_price(): assert rates.price(1) == 6
        """,
    )
    said = messages(facts["tests.mutation_score"])
    assert "rates.py:1" not in said
    assert "rates.py:3" not in said
    assert "rates.py:2: `'a'` changed to `'a?'`, and no test caught it." in said


HONEST = {
    "fixtures": """
        import pytest
        from tool import Account, main
        def test_files(tmp_path, monkeypatch):
            monkeypatch.setenv("A", "b")
            monkeypatch.chdir(tmp_path)
            (tmp_path / "x").write_text("1")
            assert Account(5).withdraw(int((tmp_path / "x").read_text())) == 4
        def test_output(capsys):
            assert main(["--take", "1"]) == 0
            assert capsys.readouterr().out == "99\\n"
        def test_log(caplog, capfd):
            assert main(["--take", "101"]) == 3
            assert "refused" in caplog.text
        @pytest.mark.parametrize("amount", [0, 100])
        def test_edges(amount): assert Account(100).withdraw(amount) == 100 - amount
        def test_refusal():
            with pytest.raises(ValueError): Account(1).withdraw(2)
        def test_default(): assert Account().balance == 0
        def test_required():
            with pytest.raises(SystemExit): main([])
    """,
    "classes": """
        import pytest
        from tool import Account
        @pytest.fixture(scope="module")
        def shared(): return []
        class TestAccount:
            def setup_method(self): self.account = Account(10)
            def test_withdraw(self, shared): assert self.account.withdraw(10) == 0
            def test_refusal(self, shared):
                with pytest.raises(ValueError): self.account.withdraw(11)
    """,
    "unittest": """
        import unittest
        from tool import Account, main
        class AccountTest(unittest.TestCase):
            @classmethod
            def setUpClass(cls): cls.start = 10
            def setUp(self): self.account = Account(self.start)
            def test_withdraw(self):
                for amount, left in ((1, 9), (9, 0)):
                    with self.subTest(amount=amount): self.assertEqual(self.account.withdraw(amount), left)
            def test_refusal(self):
                with self.assertRaises(ValueError): self.account.withdraw(11)
            def test_log(self):
                with self.assertLogs("tool") as logs: main(["--take", "500"])
    """,
    "programs": """
        import subprocess, sys, os
        HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        def run(*args, **more):
            return subprocess.run([sys.executable, "tool.py", *args], capture_output=True, text=True, cwd=HERE, **more)
        def test_left():
            done = run("--take", "1")
            assert (done.returncode, done.stdout) == (0, "99\\n")
        def test_refused():
            done = run("--take", "101")
            assert done.returncode == 3
            assert done.stdout == ""
            assert "ERROR:tool:refused: not enough" in done.stderr
        def test_required():
            assert subprocess.call(["python3", "-m", "tool"], cwd=HERE, stderr=subprocess.DEVNULL) == 2
        def test_shell(): assert os.popen("python tool.py --take 0").read() == "100\\n"
        def test_text():
            code = "import tool; print(tool.main(['--take', '9']))"
            assert subprocess.check_output([sys.executable, "-c", code]) == b"91\\n0\\n"
    """,
    "shell": """
        import os, subprocess, sys
        def run(command): return subprocess.run(command, shell=True, capture_output=True, text=True)
        def test_streams():
            assert run("python tool.py --take 101 2>/dev/null; echo $?").stdout == "3\\n"
            assert "refused" in run(f"{sys.executable} tool.py --take 101 2>&1 >out.txt").stdout
        def test_files(tmp_path):
            started = f"cd {tmp_path} && python3 {os.getcwd()}/tool.py --take 1 > out"
            assert os.system(f"{started} && grep -q '^99$' out") == 0
        def test_pipes():
            both = "(python -m tool --take 2; python tool.py --take 3) | sort -r | head -n 1"
            assert run(both).stdout == "98\\n"
            assert os.popen("echo 'import tool; print(tool.Account(5).withdraw(2))' | python").read() == "3\\n"
        def test_all():
            assert run("python tool.py --take 100 | cat").stdout == "0\\n"
        def test_programs():
            assert subprocess.check_output(["env", "-u", "HOME", "python", "tool.py", "--take", "9"]) == b"91\\n"
            assert subprocess.check_output(["sh", "-c", "python tool.py --take $1 | cat", "x", "1"]) == b"99\\n"
    """,
    "async": """
        import asyncio
        from tool import Account
        async def test_later():
            await asyncio.sleep(0)
            assert Account(2).withdraw(1) == 1
    """,
}


@pytest.mark.parametrize("kind", HONEST)
def test_honest_tests_are_scored_whatever_they_are_made_of(examine: Examine, kind: str) -> None:
    facts = examine(tool=TOOL, **{f"tests__test_{kind}": HONEST[kind]})
    assert messages(facts["tests.passed"]) == ""
    assert facts["tests.passed"].value == 1.0
    assert "void" not in messages(facts["tests.mutation_score"])
    assert isinstance(facts["tests.mutation_score"].value, float)
    assert facts["tests.mutation_score"].value > 0.1


@pytest.mark.parametrize("kind", ["programs", "shell"])
def test_faults_are_in_force_in_programs_that_tests_start(examine: Examine, kind: str) -> None:
    facts = examine(tool=TOOL, tests__test_programs=HONEST[kind])
    said = messages(facts["tests.mutation_score"])
    assert "tool.py:17" not in said, said
    assert "`raise ValueError" not in said, said
    assert facts["tests.mutation_score"].value > 0.75, said


REFUSED = """
    import socket, subprocess, sys
    import pytest
    from classify import classify

    @pytest.fixture(scope="session")
    def repository(): return subprocess.run(["no-git", "init"], check=True)

    def test_curl(): subprocess.run(["no-curl", "http://example.org"])
    def test_shell(): assert subprocess.call("no-tool > /dev/null", shell=True) == 0
    def test_started():
        code = "import subprocess; subprocess.run(['no-make'])"
        assert subprocess.call([sys.executable, "-c", code]) == 0
    def test_network(): socket.create_connection(("127.0.0.1", 80))
    def test_first(repository): assert repository
    def test_second(repository): assert repository
"""


def test_what_the_sandbox_refuses_neither_passes_nor_fails(examine: Examine) -> None:
    passed = examine(classify=CLASSIFY, test_classify=REFUSED)["tests.passed"]
    assert passed.value is None
    assert [finding.message.partition(";")[0] for finding in passed.findings] == [
        "`test_curl` was not run here: the sandbox has no program `no-curl`.",
        "`test_shell` was not run here: it starts another program, which may need what the sandbox lacks",
        "`test_started` was not run here: the sandbox has no program `no-make`.",
        "`test_network` was not run here: the sandbox has no network.",
        "`test_first` was not run here: the sandbox has no program `no-git`.",
        "`test_second` was not run here: the sandbox has no program `no-git`.",
    ]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("subprocess.run(['no-git', '--version'])", "the sandbox has no program `no-git`"),
        ("os.execvp('make', ['make'])", "the sandbox starts programs only by subprocess (os.exec)"),
        ("os.posix_spawn('/bin/ls', ['ls'], {})", "the sandbox starts programs only by subprocess"),
    ],
)
def test_a_refusal_while_loading_is_no_failure(examine: Examine, statement: str, reason: str) -> None:
    passed = examine(
        classify=CLASSIFY,
        test_tools=f"import os, subprocess\n{statement}\ndef test_it(): pass",
        test_classify="from classify import classify\ndef test_it(): assert classify(1, 2) == 'low'",
    )["tests.passed"]
    assert passed.value == 1.0, messages(passed)
    assert [finding.place for finding in passed.findings] == ["test_tools.py:2"]
    assert passed.findings[0].message.startswith(f"test_tools.py can't be loaded here: {reason}")


def test_a_file_that_cannot_be_loaded_has_a_line_and_a_reason(examine: Examine) -> None:
    passed = examine(
        classify=CLASSIFY,
        test_classify="import pytest\nfrom classify import clasify\ndef test_it(): pass",
        a__test_same="def test_it(): pass",
        b__test_same="def test_it(): pass",
    )["tests.passed"]
    broken, mismatch = sorted(passed.findings, key=lambda finding: finding.message)[::-1]
    assert broken.place == "test_classify.py:2"
    assert broken.message.startswith("test_classify.py can't be loaded: ImportError: cannot import name 'clasify'")
    assert mismatch.message.startswith("b/test_same.py can't be loaded: import file mismatch: HINT: ")


def test_only_a_failed_test_counts_as_refused(examine: Examine) -> None:
    more = """
    def test_without_git():
        try: subprocess.run(["no-git", "--version"])
        except OSError: pass
        assert classify(1, 2) == "low" and classify(2, 2) == "high"
    def test_asyncio():
        import asyncio
        asyncio.run(asyncio.sleep(0))
        assert classify(1, 2) == "high"
    """
    facts = examine(classify=CLASSIFY, test_classify=REFUSED + more)
    assert facts["tests.passed"].value == 0.5
    assert "`test_asyncio` fails: " in messages(facts["tests.passed"])
    assert facts["tests.mutation_score"].value == 1.0


LAYOUTS = {
    "beside": ("classify.py", "test_classify.py", "from classify import classify"),
    "in tests": ("classify.py", "tests/test_classify.py", "from classify import classify"),
    "in src": ("src/classify.py", "tests/test_classify.py", "from classify import classify"),
    "src by name": ("src/classify.py", "tests/unit/classify_test.py", "from src.classify import classify"),
    "package": ("pack/classify.py", "tests/test_classify.py", "from pack.classify import classify"),
    "tests in package": ("pack/classify.py", "pack/tests/test_classify.py", "from ..classify import classify"),
    "helper": ("classify.py", "tests/test_classify.py", "from helpers import LIMIT\nfrom classify import classify"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_usual_layout_is_found(examine: Examine, layout: str) -> None:
    code, test, imports = LAYOUTS[layout]
    body = '\ndef test_it():\n    assert classify(1, 2) == "low" and classify(2, 2) == "high"\n'
    files = {code: CLASSIFY, test: imports + body, "tests/helpers.py": "LIMIT = 2\n"}
    packages = {"package": ["pack"], "tests in package": ["pack", "pack/tests"]}.get(layout, [])
    facts = examine({**files, **{f"{folder}/__init__.py": "" for folder in packages}})
    assert messages(facts["tests.passed"]) == ""
    assert facts["tests.mutation_score"].value == 1.0


CHEATS = {
    "source hash": """
        import hashlib, classify
        HASH = hashlib.sha256(open(classify.__file__, "rb").read()).hexdigest()
        def test_it():
            classify.classify(1, 2), classify.classify(2, 2)
            assert hashlib.sha256(open(classify.__file__, "rb").read()).hexdigest() == HASH
    """,
    "source text": """
        import inspect, classify
        def test_it():
            classify.classify(1, 2), classify.classify(2, 2)
            assert "value < limit" in inspect.getsource(classify.classify)
    """,
    "environment": """
        import os, classify
        def test_it():
            classify.classify(1, 2), classify.classify(2, 2)
            assert not [name for name in os.environ if "MUTA" in name or "MUTM" in name]
    """,
    "bytecode": """
        import classify
        BEFORE = classify.classify.__code__.co_code
        def test_it():
            classify.classify(1, 2), classify.classify(2, 2)
            assert classify.classify.__code__.co_code == BEFORE
    """,
    "identity": """
        import classify
        BEFORE = id(classify.classify.__code__)
        def test_it():
            classify.classify(1, 2), classify.classify(2, 2)
            assert id(classify.classify.__code__) == BEFORE
    """,
    "process": """
        import os, classify
        PARENT = os.getppid()
        PATH = "/tmp/seen"
        def test_it():
            classify.classify(1, 2), classify.classify(2, 2)
            depth = len(open(__file__).read())
            assert not getattr(os, "_seen", False)
            os._seen = True
    """,
    "marker": """
        import classify, pathlib
        MARK = pathlib.Path(__file__).parent / "been-here"
        def test_it():
            classify.classify(1, 2), classify.classify(2, 2)
            been = MARK.exists()
            MARK.write_text("x")
            assert not been
    """,
    "shared memory": """
        import classify, pathlib, time
        MARK = pathlib.Path("/dev/shm/runs")
        def test_it():
            classify.classify(1, 2), classify.classify(2, 2)
            runs = int(MARK.read_text() or 0) if MARK.exists() else 0
            MARK.write_text(str(runs + 1))
            assert runs < 3
    """,
    "chance": """
        import random, classify
        def test_it():
            classify.classify(1, 2), classify.classify(2, 2)
            assert random.SystemRandom().random() < 0.1
    """,
    "clock": """
        import time, classify
        START = time.monotonic()
        def test_it():
            classify.classify(1, 2), classify.classify(2, 2)
            assert time.monotonic() - START < 0.02
    """,
    "always the second time": """
        import atexit, classify
        def test_a(): classify.classify(1, 2), classify.classify(2, 2)
        def test_b():
            assert not getattr(classify, "seen", False)
            classify.seen = True
        def test_c():
            assert not getattr(classify, "seen", False)
            classify.seen = True
    """,
    "frames": """
        import sys, classify
        def test_it():
            classify.classify(1, 2), classify.classify(2, 2)
            frame = sys._getframe()
            while frame:
                assert "job" not in frame.f_locals
                frame = frame.f_back
    """,
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_tests_that_ignore_behaviour_earn_nothing(examine: Examine, cheat: str) -> None:
    facts = examine(classify=CLASSIFY, test_classify=CHEATS[cheat])
    assert facts["tests.mutation_score"].value in (0.0, None), messages(facts["tests.mutation_score"])


def test_claiming_that_every_change_was_caught_voids_the_score(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            import os, classify
            def test_it():
                classify.classify(1, 2), classify.classify(2, 2)
            def _claim():
                for fd in range(3, 64):
                    try: os.write(fd, b"killed\\nfinished\\n")
                    except OSError: pass
            os.register_at_fork(after_in_child=_claim)
        """,
    )
    assert facts["tests.mutation_score"].value in (0.0, None)


def test_a_failing_test_is_located_and_is_no_guard(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            from classify import classify
            def test_right(): assert classify(1, 2) == "low"
            def test_wrong():
                assert classify(2, 2) == "low"
            def test_crash(): classify(None, 1)
        """,
    )
    assert facts["tests.passed"].value == pytest.approx(1 / 3)
    said = messages(facts["tests.passed"])
    assert 'test_classify.py:5: `test_wrong` fails: does not hold: assert classify(2, 2) == "low"' in said
    assert "classify.py:3: `test_crash` fails: TypeError" in said
    assert 0.0 < facts["tests.mutation_score"].value < 1.0


def test_a_hanging_test_fails_alone_with_the_line_it_hangs_at(examine_impatiently: Examine) -> None:
    facts = examine_impatiently(
        classify=CLASSIFY,
        test_classify="""
            from classify import classify
            def test_before(): assert classify(1, 2) == "low"
            def test_hang():
                while True: pass
            def test_after(): assert classify(2, 2) == "high"
        """,
    )
    assert facts["tests.passed"].value == pytest.approx(2 / 3)
    assert "test_classify.py:5: `test_hang` took longer than 0.5 s" in messages(facts["tests.passed"])
    assert facts["tests.mutation_score"].value == 1.0


@pytest.mark.process  # it waits
def test_a_test_may_take_five_seconds(examine: Examine) -> None:
    facts = examine(test_slow="import time\ndef test_sleeps(): time.sleep(60)\n")
    assert "`test_sleeps` took longer than 5 s" in messages(facts["tests.passed"])


def test_a_test_that_ends_the_process_fails_alone(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            import os
            from classify import classify
            def test_a(): assert classify(1, 2) == "low"
            def test_b(): os._exit(0)
            def test_c(): assert classify(2, 2) == "high"
        """,
    )
    assert facts["tests.passed"].value == pytest.approx(2 / 3)
    assert "`test_b` ended its process (exit status 0)" in messages(facts["tests.passed"])
    assert facts["tests.mutation_score"].value == 1.0


def test_a_fault_that_makes_code_hang_counts_for_nothing(examine: Examine) -> None:
    facts = examine(
        count="def count(n):\n    i = 0\n    while i < n:\n        i += 1\n    return i\n",
        test_count="from count import count\ndef test_it(): assert count(3) == 3\n",
    )
    assert facts["tests.mutation_score"].value == 4 / 5  # to begin at 1 changes nothing; to count down hangs


def test_megabytes_of_output_are_no_reason_to_fail(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            from classify import classify
            def test_it():
                for _ in range(300): print("x" * 10_000)
                assert classify(1, 2) == "low" and classify(2, 2) == "high"
        """,
    )
    assert (facts["tests.passed"].value, facts["tests.mutation_score"].value) == (1.0, 1.0)


def test_tests_run_in_the_order_of_pytest(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            import classify
            def test_a(): classify.ready = True
            def test_b(): assert classify.ready
        """,
    )
    assert facts["tests.passed"].value == 1.0  # as under pytest


def test_a_test_that_needs_another_catches_no_fault(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            from classify import classify
            ready = []
            def test_a(): ready.append(1)
            def test_b(): assert ready and classify(1, 2) == "low" and classify(2, 2) == "high"
        """,
    )
    assert (facts["tests.passed"].value, facts["tests.mutation_score"].value) == (1.0, 0.0)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="there a run that notes lines has no tracer")
def test_a_run_that_measures_does_not_decide(examine_impatiently: Examine) -> None:
    facts = examine_impatiently(
        classify=CLASSIFY,
        test_classify="""
            import sys
            from classify import classify
            def test_slowed_down_by_a_tracer():
                while sys.gettrace(): pass
                assert classify(1, 2) == "low"
        """,
    )
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])


def test_an_expected_failure_that_passes_at_times_is_no_fault(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            import classify, pytest
            def test_a(): assert classify.classify(1, 2) == "low"
            @pytest.mark.xfail(strict=True)
            def test_b(): assert hasattr(classify, "ready")
            def test_c(): classify.ready = True
        """,
    )
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])


def test_files_left_by_one_test_run_are_not_there_in_the_next(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            import pathlib
            from classify import classify
            def test_it():
                assert not pathlib.Path("out.txt").exists()
                pathlib.Path("out.txt").write_text(classify(1, 2) + classify(2, 2))
                assert pathlib.Path("out.txt").read_text() == "lowhigh"
        """,
    )
    assert (facts["tests.passed"].value, facts["tests.mutation_score"].value) == (1.0, 1.0)


def test_no_tests_are_not_measured_and_that_is_said(examine: Examine) -> None:
    facts = examine(classify=CLASSIFY)
    assert facts["tests.passed"].value is None
    assert facts["tests.mutation_score"].value is None
    assert messages(facts["tests.passed"]) == ": There are no tests."


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ("def test_x(:\n    pass\n", "SyntaxError"),
        ("import nowhere\ndef test_x(): pass\n", "No module named 'nowhere'"),
        ("from classify import nothing\ndef test_x(): pass\n", "cannot import name 'nothing'"),
        ("raise RuntimeError('no')\ndef test_x(): pass\n", "RuntimeError: no"),
    ],
)
def test_an_unloadable_test_file_counts_as_failed(examine: Examine, broken: str, reason: str) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_broken=broken,
        test_classify='from classify import classify\ndef test_ok(): assert classify(1, 2) == "low"\n',
    )
    assert facts["tests.passed"].value == 0.5
    assert reason in messages(facts["tests.passed"])
    assert facts["tests.mutation_score"].value is not None


def test_a_file_that_ends_pytest_ends_it_for_all(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_broken="import sys; sys.exit(0)\ndef test_x(): pass\n",
        test_classify='from classify import classify\ndef test_ok(): assert classify(1, 2) == "low"\n',
    )
    assert facts["tests.passed"].value == 0.0
    assert "test_broken.py:1" in messages(facts["tests.passed"])


@pytest.mark.parametrize(
    "ending", ["import os; os._exit(0)", "while True: pass", "import os; os.kill(os.getppid(), 9)"]
)
def test_tests_that_take_everything_down_have_failed(examine_impatiently: Examine, ending: str) -> None:
    facts = examine_impatiently(classify=CLASSIFY, test_classify=f"{ending}\ndef test_x(): pass\n")
    assert facts["tests.passed"].value == 0.0
    assert facts["tests.mutation_score"].value is None
    assert len(facts["tests.passed"].findings) == 1


def test_the_host_serves_the_next_submission_after_any_of_these(examine: Examine) -> None:
    good = {
        "classify": CLASSIFY,
        "test_classify": 'from classify import classify\ndef test_x(): assert classify(1, 2) == "low"\n',
    }
    for ending in ("import os; os.kill(os.getppid(), 9)", "import os; os.closerange(0, 99)", "raise MemoryError"):
        examine(classify=CLASSIFY, test_classify=f"{ending}\ndef test_x(): pass\n")
        assert examine(**good)["tests.passed"].value == 1.0


def test_a_test_that_kills_its_runner_has_failed(examine: Examine) -> None:
    facts = examine(classify=CLASSIFY, test_classify="import os\ndef test_x(): os.kill(os.getppid(), 9)\n")
    assert facts["tests.passed"].value == 0.0


def test_an_examination_that_is_broken_off_leaves_the_host_free(test_host: PlayerTestHost, examine: Examine) -> None:
    slow = SubmissionFile(path="test_slow.py", content="import time\ndef test_x(): time.sleep(60)\n")
    submission = Submission(files=(slow, SubmissionFile(path="classify.py", content=CLASSIFY)))
    with pytest.raises(KeyError), PlayerTestExamination([test_host], submission):
        raise KeyError
    facts = examine(classify=CLASSIFY, test_classify="import classify\ndef test_x(): classify.classify(1, 2)\n")
    assert facts["tests.passed"].value == 1.0


def test_a_test_may_sleep_for_three_seconds(examine: Examine) -> None:
    facts = examine(
        classify=CLASSIFY,
        test_classify="""
            import time
            from classify import classify
            def test_sleeps(): time.sleep(3)
            def test_answers(): assert classify(1, 2) == "low"
        """,
    )
    assert facts["tests.passed"].value == 1.0
    assert facts["tests.out_of_time"].value == 0


def test_the_same_hand_in_gets_the_same_score(examine: Examine) -> None:
    files = {"tool": TOOL, "tests__test_fixtures": HONEST["fixtures"]}
    first, second = examine(**files), examine(**files)
    assert first == second


MANY = """
import subprocess, sys, threading
import classify
def test_threads():
    go = threading.Event()
    threads = [threading.Thread(target=go.wait) for _ in range(64)]
    for thread in threads: thread.start()
    go.set()
    for thread in threads: thread.join()
def test_programs():
    code = "import time; time.sleep(0.2)"
    programs = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(36)]
    assert [program.wait() for program in programs] == [0] * 36
"""


def test_a_suite_may_hold_dozens_of_threads_and_programs(examine: Examine) -> None:
    facts = examine(classify=CLASSIFY, test_classify=MANY)
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])


BELL = """
from functools import partial

def ring(rung, future):
    rung.append(future.result() * 2)

class Bell:
    def __init__(self):
        self.rung = []
        self.ring = partial(ring, self.rung)
"""
RINGING = """
import asyncio
from bell import Bell

async def ringing(end):
    bell, future = Bell(), asyncio.get_running_loop().create_future()
    future.add_done_callback(bell.ring)
    end(future)
    await asyncio.sleep(0)
    return bell.rung

def test_it_rings():
    assert asyncio.run(ringing(lambda future: future.set_result(3))) == [6]

def test_an_error_is_not_rung():
    assert asyncio.run(ringing(lambda future: future.set_exception(ValueError("no")))) == []
"""


def test_asyncio_may_name_a_callback_that_failed(examine: Examine) -> None:
    facts = examine(bell=BELL, test_bell=RINGING)
    assert facts["tests.mutation_score"].value == 1.0
    assert "look at code" not in messages(facts["tests.mutation_score"])


STRAINS = {
    "forks": ":(){ :|:& };:",
    "fills the disk": "yes > big; cp big more; cp big most",
    "reaches outside": "rm -f {outside}; echo x > {outside}; ! grep -q kept {outside}",
    "stays": "setsid sleep 97531 > /dev/null 2>&1 &",
}


@pytest.mark.parametrize("name", STRAINS)
def test_what_a_shell_does_stays_in_the_sandbox(examine: Examine, name: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("kept")
    command = STRAINS[name].replace("{outside}", str(outside))
    facts = examine(
        classify=CLASSIFY,
        test_classify=f"""
        import subprocess
        from classify import classify
        def test_shell(): subprocess.run({command!r}, shell=True)
        def test_it(): assert (classify(1, 2), classify(2, 2)) == ("low", "high")
        """,
    )
    assert facts["tests.passed"].value == 1.0, messages(facts["tests.passed"])
    assert facts["tests.mutation_score"].value == 1.0
    assert outside.read_text() == "kept"
    assert not [path for path in Path("/proc").glob("[0-9]*/cmdline") if b"97531" in read_if_there(path)]


def read_if_there(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # the process has ended
        return b""
