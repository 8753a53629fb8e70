"""How errors are caught, and how the process is ended."""

import pytest


def handler(caught: str, body: str = "print(1)", attempt: str = "g()") -> str:
    return (
        f"import asyncio, os, queue, sys\ndef f(p):\n    try:\n        {attempt}\n    except{caught}:\n        {body}\n"
    )


@pytest.mark.parametrize(
    ("source", "bare", "broad", "silent"),
    [
        pytest.param(handler(""), 1, 0, 0, id="bare"),
        pytest.param(handler("", "pass"), 1, 0, 1, id="bare and silent"),
        pytest.param(handler("", "undo()\n        raise"), 0, 0, 0, id="bare, raised again"),
        pytest.param(handler("", "raise AppError()"), 1, 0, 0, id="bare, raised as another"),
        pytest.param(handler(" Exception"), 0, 1, 0, id="Exception"),
        pytest.param(handler(" BaseException as e"), 0, 1, 0, id="BaseException"),
        pytest.param(handler(" (ValueError, Exception)"), 0, 1, 0, id="Exception in a tuple"),
        pytest.param(handler(" Exception", "raise"), 0, 0, 0, id="raised again"),
        pytest.param(handler(" Exception as e", "raise AppError('x') from e", "p()"), 0, 0, 0, id="translated"),
        pytest.param(
            handler(" Exception as e", "raise AppError('x') from e", "int(p.strip())"),
            0,
            1,
            0,
            id="own faults renamed",
        ),
        pytest.param(
            f"def g(a): a()\n{handler(' Exception as e', 'raise AppError(3) from e')}", 0, 0, 0, id="by a helper"
        ),
        pytest.param(handler(" Exception as e", "raise SystemExit(1) from e"), 0, 1, 0, id="exit is no raise"),
        pytest.param(handler(" Exception", "sys.exit(1)"), 0, 1, 0, id="exit call"),
        pytest.param(handler(" Exception", "def g(): raise"), 0, 1, 0, id="raise in a nested function"),
        pytest.param(handler(" Exception as e", "self.result.set_exception(e)"), 0, 0, 0, id="given to a future"),
        pytest.param(handler(" Exception as e", "self.result.set_exception(OSError())"), 0, 1, 0, id="another error"),
        pytest.param(handler(" ValueError"), 0, 0, 0, id="specific"),
        pytest.param(handler(" (OSError, ValueError) as e"), 0, 0, 0, id="several"),
        pytest.param(handler(" ValueError", "pass"), 0, 0, 1, id="silent"),
        pytest.param(handler(" ValueError", "..."), 0, 0, 1, id="silent dots"),
        pytest.param(handler(" ValueError", "'ignored'"), 0, 0, 1, id="silent string"),
        pytest.param(handler(" ValueError", "return None"), 0, 0, 0, id="handled"),
        pytest.param(handler(" StopIteration", "pass"), 0, 0, 0, id="the end of a loop"),
        pytest.param(handler(" asyncio.CancelledError", "pass"), 0, 0, 0, id="cancelled"),
        pytest.param(handler(" queue.Empty", "pass"), 0, 0, 0, id="empty queue"),
        pytest.param(handler(" FileNotFoundError", "pass", "os.remove(p)"), 0, 0, 0, id="already gone"),
        pytest.param(handler(" FileNotFoundError", "pass", "open(p)"), 0, 0, 1, id="not gone, lost"),
        pytest.param("try:\n    import x\nexcept ImportError:\n    pass", 0, 0, 0, id="optional import"),
        pytest.param("for a in b:\n    try: g(a)\n    except KeyError: continue", 0, 0, 1, id="continue"),
        pytest.param("ERRORS = (OSError, Exception)\ntry: g()\nexcept ERRORS: h()", 0, 1, 0, id="constant tuple"),
        pytest.param("ERRORS = (OSError, KeyError)\ntry: g()\nexcept ERRORS: h()", 0, 0, 0, id="specific tuple"),
        pytest.param(
            "def f(kinds):\n    try: g()\n    except kinds: h()\nf((Exception,))", 0, 1, 0, id="handed everything"
        ),
        pytest.param("def f(kinds):\n    try: g()\n    except kinds: h()\nf(OSError)", 0, 0, 0, id="handed one"),
        pytest.param("try: g()\nexcept* ValueError: h()", 0, 0, 0, id="except group"),
        pytest.param("try: g()\nfinally: h()", 0, 0, 0, id="finally"),
        pytest.param("import contextlib\nwith contextlib.suppress(Exception): g()", 0, 1, 0, id="suppress all"),
        pytest.param("from contextlib import suppress\nwith suppress(KeyError): g()", 0, 0, 0, id="suppress one"),
        pytest.param("class Exception(ValueError): pass\ntry: g()\nexcept Exception: h()", 0, 0, 0, id="namesake"),
    ],
)
def test_handlers_are_told_apart(facts, source, bare, broad, silent):
    found = facts(source)
    counts = [found[f"code.{kind}_excepts"].value for kind in ("bare", "broad", "silent")]
    assert counts == [bare, broad, silent]


def test_a_handler_is_found_by_file_line_and_function(facts):
    finding = facts(handler(""))["code.bare_excepts"].findings[0]
    assert (finding.path, finding.line) == ("app.py", 5)
    assert finding.message.startswith("`f` ")


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("import sys\ndef f(): sys.exit(1)", 1, id="function"),
        pytest.param("from sys import exit as leave\ndef f(): leave(1)", 1, id="alias"),
        pytest.param("def f(): exit()", 1, id="exit"),
        pytest.param("def f(): raise SystemExit(2)", 1, id="raise"),
        pytest.param("def f(): raise SystemExit", 1, id="raise the class"),
        pytest.param("import os\ndef f(): os._exit(1)", 1, id="os._exit"),
        pytest.param("import sys\nsys.exit(1)", 1, id="module level"),
        pytest.param("import sys\ndef main(): sys.exit(1)", 0, id="main"),
        pytest.param("import sys\ndef main():\n    def stop(): sys.exit(1)\n    stop()", 0, id="within main"),
        pytest.param("import sys\nif __name__ == '__main__':\n    sys.exit(main())", 0, id="main guard"),
        pytest.param(
            "import sys\ndef go(): sys.exit(1)\nif '__main__' == __name__:\n    go()", 0, id="called by guard"
        ),
        pytest.param("import sys\ndef fail(): sys.exit(1)\ndef main(): fail()", 0, id="helper of main"),
        pytest.param("import sys\ndef fail(): sys.exit(1)\ndef f(): fail()\ndef main(): fail()", 1, id="of others"),
        pytest.param(
            "import sys\ndef read():\n    yield 1\n    sys.exit(1)\ndef main(): read()", 1, id="while reading"
        ),
        pytest.param("def exit(): pass\ndef f(): exit()", 0, id="own exit"),
        pytest.param("class App:\n    def exit(self): pass\n    def f(self): self.exit()", 0, id="method"),
    ],
)
def test_exits_belong_in_main(facts, source, value):
    assert facts(source)["code.exit_calls"].value == value


def test_a_package_may_exit_from_its_main_file(facts):
    found = facts({"pkg/__main__.py": "import sys\nfrom .cli import run\nsys.exit(run())\n"})
    assert found["code.exit_calls"].value == 0


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("def f(x): return eval(x)", 1, id="eval"),
        pytest.param("exec('x = 1')", 1, id="exec"),
        pytest.param("import ast\ndef f(x): return ast.literal_eval(x)", 0, id="literal_eval"),
        pytest.param("import re\nP = re.compile('x')", 0, id="re.compile"),
        pytest.param("class M:\n    def eval(self): return 1\n    def f(self): return self.eval()", 0, id="method"),
        pytest.param("def eval(x): return x\ny = eval(1)", 0, id="own eval"),
    ],
)
def test_eval_and_exec_are_found(facts, source, value):
    assert facts(source)["code.eval_calls"].value == value


LAST_RESORT = """
import logging
log = logging.getLogger(__name__)
def {name}():
    try:
        run()
    except {first} as error:
        log.error("no %s", error)
    except Exception as error:
        log.{report}
"""


@pytest.mark.parametrize(
    ("name", "first", "report", "value"),
    [
        pytest.param("main", "OSError", "exception('unexpected')", 0, id="last resort"),
        pytest.param("main", "OSError", "critical('unexpected', exc_info=error)", 0, id="with its trace"),
        pytest.param("main", "OSError", "error('unexpected')", 1, id="without a trace"),
        pytest.param("main", "Exception", "exception('unexpected')", 1, id="beside another"),
        pytest.param("load", "OSError", "exception('unexpected')", 1, id="inside"),
    ],
)
def test_a_last_resort_beside_named_handlers_costs_nothing(facts, name, first, report, value):
    assert facts(LAST_RESORT.format(name=name, first=first, report=report))["code.broad_excepts"].value == value


TRACE = "    log.critical(3, exc_info=(kind, error, trace))\n"


@pytest.mark.parametrize(("more", "count"), [("", 1), ("    sys.__excepthook__(kind, error, trace)\n", 0), (TRACE, 0)])
def test_a_hook_that_answers_every_error_is_a_catch_all(facts, more, count):
    hook = f"import sys\ndef refuse(kind, error, trace):\n    print(error)\n{more}sys.excepthook = refuse\n"
    assert facts(hook)["code.broad_excepts"].value == count


@pytest.mark.parametrize(
    ("use", "value"),
    [
        pytest.param("await asyncio.gather(*tasks, return_exceptions=True)", 1, id="dropped"),
        pytest.param("await asyncio.gather(*tasks)", 0, id="raised"),
        pytest.param("return await asyncio.gather(*tasks, return_exceptions=True)", 0, id="given back"),
        pytest.param("tasks[0].cancel()\n    await asyncio.gather(*tasks, return_exceptions=True)", 0, id="cancelled"),
    ],
)
def test_errors_asked_for_and_never_looked_at_are_swallowed(facts, use, value):
    assert facts(f"import asyncio\nasync def f(tasks):\n    {use}\n")["code.silent_excepts"].value == value
