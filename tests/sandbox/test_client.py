"""Running programs in a real host: what comes out, every way it can end, and nothing left behind."""

import base64
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalforge.model.errors import SandboxError
from evalforge.model.submission import Submission
from evalforge.sandbox import client
from evalforge.sandbox.client import Host, HostFault, parse_reply
from evalforge.sandbox.program import Call, Program
from evalforge.sandbox.report import Ending, RunLimits, RunReport
from evalforge.sandbox.staging import StagedSubmission
from tests import factories

MAIN = Program("script", "main.py")


@pytest.fixture(scope="module")
def host() -> Iterator[Host]:
    started = Host()
    yield started
    started.shut_down()


def run(host: Host, code: str, call: Call | None = None, limits: RunLimits | None = None, **more: str) -> RunReport:
    with StagedSubmission(factories.submission(main=code, **more)) as staged:
        return host.run(staged, MAIN, call or Call(), limits)


def test_arguments_input_environment_and_files_go_in(host: Host) -> None:
    code = """
import os, sys
from pathlib import Path
print(sys.argv[1:], os.environ["COLOUR"], sys.stdin.read(), Path("in/data.txt").read_text())
print("oops", file=sys.stderr)
Path("out").mkdir()
Path("out/result.bin").write_bytes(bytes([0, 255]))
Path("in/data.txt").write_text("changed")
sys.exit(7)
"""
    files = {"in/data.txt": b"hello", "in/other.txt": b"same"}
    report = run(host, code, Call(args=("a", "b c"), stdin=b"typed", env={"COLOUR": "red"}, files=files))
    assert report.stdout == "['a', 'b c'] red typed hello\n"
    assert report.stderr == "oops\n"
    assert (report.ending, report.exit_code, report.abnormal_end) == (Ending.EXIT, 7, "")
    assert report.files == {"out/result.bin": bytes([0, 255]), "in/data.txt": b"changed"}


@pytest.mark.parametrize(
    ("code", "exit_code", "stderr"),
    [
        ("", 0, ""),
        ("raise SystemExit", 0, ""),
        ("raise SystemExit('words')", 1, "words\n"),
        ("raise SystemExit(300)", 44, ""),
        ("import atexit; atexit.register(print, 'bye', file=__import__('sys').stderr)", 0, "bye\n"),
        ("import threading, sys; threading.Thread(target=lambda: print('t', file=sys.stderr)).start()", 0, "t\n"),
    ],
)
def test_exit_statuses_are_pythons_own(host: Host, code: str, exit_code: int, stderr: str) -> None:
    report = run(host, code)
    assert (report.exit_code, report.stderr) == (exit_code, stderr)


def test_an_escaped_exception_reads_as_python_prints_it(host: Host) -> None:
    report = run(host, "import helper\nhelper.fail()\n", helper="def fail():\n    return 1 / 0\n")
    assert report.exit_code == 1
    assert report.uncaught_error is not None
    assert (report.uncaught_error.type, report.uncaught_error.path, report.uncaught_error.line) == (
        "ZeroDivisionError",
        "helper.py",
        2,
    )
    lines = report.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[-1] == "ZeroDivisionError: division by zero"
    assert "runpy" not in report.stderr
    assert "evalforge/sandbox" not in report.stderr


@pytest.mark.parametrize(
    ("code", "ending", "words"),
    [
        ("while True:\n    pass", Ending.TIMEOUT, "timed out after 0.5 s at main.py:"),
        ("import time\ntime.sleep(99)", Ending.TIMEOUT, "timed out after 0.5 s at main.py:2"),
        (
            "import signal\nsignal.signal(signal.SIGTERM, lambda *_: None)\nwhile True: pass",
            Ending.TIMEOUT,
            "timed out",
        ),
        ("while True: print('x' * 1000)", Ending.OUTPUT, "printed more than 1,024 kB"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", Ending.SIGNAL, "killed"),
        ("import ctypes; ctypes.string_at(0)", Ending.SIGNAL, "segmentation fault"),
        ("x = [bytearray(10**8) for _ in range(99)]", Ending.EXIT, "used more than 512 MB of memory"),
    ],
)
def test_every_way_to_end_has_a_name(host: Host, code: str, ending: Ending, words: str) -> None:
    # A machine that is slow to hand out pages needs more than half a second to reach the limit of memory.
    report = run(host, code, limits=RunLimits(seconds=0.5 if ending is Ending.TIMEOUT else 10))
    assert report.ending is ending
    assert words in report.abnormal_end


@pytest.mark.skipif(sys.platform != "linux", reason="limits of other processes are set on Linux alone")
def test_few_open_files_are_enough() -> None:
    import resource

    host = Host()
    try:
        resource.prlimit(host.pid, resource.RLIMIT_NOFILE, (32, 32))
        assert run(host, "print(1)").stdout == "1\n"
    finally:
        host.shut_down()


@pytest.mark.parametrize(
    ("stderr", "seconds", "why"),
    [
        ("Traceback:\nOSError: no \x1b room.\n", 0.1, "OSError: no ␛ room"),
        ("", 0.1, "its process ended without an answer"),
        ("", 2.1, "it took too long"),
    ],
)
def test_why_a_run_was_not_caged_is_told_as_it_was(stderr: str, seconds: float, why: str) -> None:
    encoded = base64.b64encode(stderr.encode()).decode()
    reply = parse_reply({"id": "1", "ended": "uncaged", "stderr": encoded, "seconds": seconds})
    assert isinstance(reply, HostFault)
    assert str(reply.error(RunLimits(seconds=2.0))) == f"The player's code could not be put into the sandbox: {why}."


@pytest.mark.parametrize(
    ("file", "spoiled", "words"),
    [
        ("runs/run.py", "CagedRun.perform = lambda self: 1 / 0", "ZeroDivisionError: division by zero"),
        ("runs/child.py", "FailureReporter = None", "TypeError: 'NoneType' object is not callable"),
    ],
)
def test_what_the_host_itself_fails_at_is_no_end_of_a_run(
    file: str, spoiled: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "host"
    shutil.copytree(client.HOST_FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / file).open("a") as source:
        source.write(f"\n{spoiled}\n")
    monkeypatch.setattr(client, "HOST_FOLDER", folder)
    host = Host()
    try:
        with pytest.raises(SandboxError, match=words):
            run(host, "print('hi')")
    finally:
        host.shut_down()


def test_runs_know_nothing_of_each_other(host: Host) -> None:
    left = (
        "json.x = 1; os.environ['X'] = '1'; open('left', 'w').close(); open('../left', 'w').close(); os.mkdir('../a')"
    )
    before = run(host, f"import json, os; {left}; os.rename('../work', '../a/work'); print(os.environ['HOME'])")
    sees = "hasattr(json, 'x'), 'X' in os.environ, os.listdir(), *sorted(os.listdir('..'))"
    report = run(host, f"import json, os; print(os.environ['HOME']); print({sees})")
    assert report.stdout == f"{before.stdout}False False [] stdin tmp work\n", before.stderr


def test_the_players_modules_come_before_the_hosts(host: Host) -> None:
    more = {"protocol": "x = 'theirs'", "runs": "x = 'theirs'", "cage": "x = 'theirs'", "src__deep": "x = 'src'"}
    report = run(host, "import protocol, runs, cage, deep; print(protocol.x, runs.x, cage.x, deep.x)", **more)
    assert report.stdout == "theirs theirs theirs src\n"


def test_a_package_runs_as_a_module(host: Host) -> None:
    files = {"tool/__main__.py": "from tool.part import x; print(x)", "tool/part.py": "x = 5"}
    submission = Submission.of(files)
    with StagedSubmission(submission) as staged:
        assert host.run(staged, Program("module", "tool"), Call()).stdout == "5\n"


def test_the_same_run_gives_the_same_output(host: Host) -> None:
    code = "import random; print(random.random(), {'a', 'b', 'c', 'd'}, hash('x'))"
    first = run(host, code)
    other = Host()
    assert run(other, code).stdout == first.stdout
    other.shut_down()


def test_a_host_that_is_gone_is_replaced(host: Host) -> None:
    os.kill(host.pid, signal.SIGKILL)
    report = run(host, "print(1)")
    assert report.ending is Ending.HOST_LOST
    assert run(host, "print(1)").stdout == "1\n"


def test_nothing_is_left_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    host = Host()
    code = """
import os
os.makedirs("a/b/c"); os.chmod("a/b", 0)
os.symlink("/etc/passwd", "link")
open(os.path.join(os.environ["TMPDIR"], "t"), "w").write("x")
"""
    report = run(host, code)
    assert report.exit_code == 0, report.stderr
    assert report.files == {}
    host.shut_down()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("layer", ["full", "standard", "namespaces"])
def test_no_program_that_a_run_could_start_would_be_privileged(layer: str) -> None:
    code = """
import ctypes
PR_CAPBSET_READ = 23
print([number for number in range(64) if ctypes.CDLL(None).prctl(PR_CAPBSET_READ, number, 0, 0, 0) == 1])
"""
    if layer == "standard" and os.geteuid():
        pytest.skip("only who may give capabilities away can empty this set, and nobody else has use for it")
    started = Host("", layer)
    try:
        if started.probe["layer"] not in {"full", layer}:
            pytest.skip(f"layer {layer} does not hold here")
        assert run(started, code).stdout == "[]\n"
    finally:
        started.shut_down()


def test_standard_streams_are_those_of_a_program(host: Host) -> None:
    code = """
import sys
for stream in (sys.stdin, sys.stdout, sys.stderr):
    print(stream.fileno(), stream.name, stream.mode, stream.encoding, stream.errors)
    print(stream.seekable(), stream.line_buffering)
print(sys.__stdin__ is sys.stdin, sys.__stdout__ is sys.stdout, sys.__stderr__ is sys.stderr, sys.stdin.tell())
sys.stdin.seek(3)
print(sys.stdin.read())
"""
    report = run(host, code, Call(stdin=b"a\xc3\xa4c"))
    assert report.stdout.splitlines() == [
        "0 <stdin> r utf-8 strict",
        "True False",
        "1 <stdout> w utf-8 strict",
        "False False",
        "2 <stderr> w utf-8 backslashreplace",
        "False True",
        "True True True 0",
        "c",
    ], report.stderr


def handed_in(files: dict[str, str]) -> Submission:
    return Submission.of(files)


def test_a_compiled_submission_keeps_its_paths_and_lines(host: Host) -> None:
    code = "from pkg import inner\nprint(__name__, __file__.endswith('main.py'))\ninner.fail()\n"
    with StagedSubmission(handed_in({"main.py": code, "pkg/__init__.py": "", "pkg/inner.py": INNER})) as staged:
        host.compile(staged, ["main.py", "pkg/__init__.py", "pkg/inner.py"])
        assert staged.bytecode
        assert {path.name.split(".")[0] for path in staged.bytecode.rglob("*.pyc")} == {"main", "__init__", "inner"}
        assert not list(staged.path.rglob("*.pyc"))
        # Only bytecode can still run what the source no longer says.
        (staged.path / "main.py").write_text("print('from source')\n")
        report = host.run(staged, MAIN, Call())
    assert report.stdout == "__main__ True\n"
    assert report.uncaught_error
    assert (report.uncaught_error.type, report.uncaught_error.path, report.uncaught_error.line) == (
        "ValueError",
        "pkg/inner.py",
        2,
    )


INNER = "def fail():\n    raise ValueError('no')\n"


def test_what_does_not_compile_is_told_when_it_runs(host: Host) -> None:
    nested = "(" * 5000 + ")" * 5000
    with StagedSubmission(handed_in({"main.py": "def (:\n", "deep.py": nested, "fine.py": "x = 1\n"})) as staged:
        host.compile(staged, ["deep.py", "gone.py", "main.py", "fine.py"])
        assert staged.bytecode
        assert [path.name.split(".")[0] for path in staged.bytecode.rglob("*.pyc")] == ["fine"]
        report = host.run(staged, MAIN, Call())
    assert report.uncaught_error
    assert (report.uncaught_error.type, report.uncaught_error.line) == ("SyntaxError", 1)


def test_bytecode_too_large_to_be_carried_is_left_out(host: Host) -> None:
    large = "TEXT = " + repr("".join(chr(48 + index % 60) for index in range(700_000))) + "\n"
    with StagedSubmission(
        handed_in({"main.py": "import large\nprint(len(large.TEXT))\n", "large.py": large})
    ) as staged:
        host.compile(staged, ["large.py", "main.py"])
        assert staged.bytecode
        assert [path.name.split(".")[0] for path in staged.bytecode.rglob("*.pyc")] == ["main"]
        assert host.run(staged, MAIN, Call()).stdout == "700000\n"


def test_bytecode_is_laid_out_nowhere_but_beside_the_submission() -> None:
    with StagedSubmission(factories.submission(main="")) as staged:
        inside = str(staged.path).lstrip("/")
        staged.keep_bytecode({"../x.pyc": b"1", f"{inside}/../../../y.pyc": b"2", "etc/z.pyc": b"3"})
        assert staged.bytecode is None
        staged.keep_bytecode({f"{inside}/main.pyc": b"4"})
        assert [path.read_bytes() for path in staged.path.parent.rglob("*.pyc")] == [b"4"]
