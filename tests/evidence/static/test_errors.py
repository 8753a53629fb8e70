"""How errors are caught, and how the process is ended."""

import pytest


def handler(caught: str, body: str = "print(1)", attempt: str = "g()") -> str:
    return (
        f"import asyncio, os, queue, sys\ndef f(p):\n    try:\n        {attempt}\n    except{caught}:\n        {body}\n"
    )


@pytest.mark.parametrize(
    ("source", "silent"),
    [
        pytest.param(handler("", "pass"), 1, id="bare"),
        pytest.param(handler(" ValueError"), 0, id="answered"),
        pytest.param(handler(" ValueError", "pass"), 1, id="pass"),
        pytest.param(handler(" ValueError", "..."), 1, id="dots"),
        pytest.param(handler(" ValueError", "'ignored'"), 1, id="string"),
        pytest.param(handler(" ValueError", "return None"), 0, id="handled"),
        pytest.param(handler(" StopIteration", "pass"), 0, id="the end of a loop"),
        pytest.param(handler(" asyncio.CancelledError", "pass"), 0, id="cancelled"),
        pytest.param(handler(" (queue.Empty, StopIteration)", "pass"), 0, id="empty queue"),
        pytest.param(handler(" FileNotFoundError", "pass", "os.remove(p)"), 0, id="already gone"),
        pytest.param(handler(" FileNotFoundError", "pass", "open(p)"), 1, id="not gone, lost"),
        pytest.param("try:\n    import x\nexcept ImportError:\n    pass", 0, id="optional import"),
        pytest.param("for a in b:\n    try: g(a)\n    except KeyError: continue", 1, id="continue"),
        pytest.param("try: g()\nexcept* ValueError: pass", 1, id="except group"),
        pytest.param("try: g()\nfinally: h()", 0, id="finally"),
        pytest.param("from contextlib import suppress\nwith suppress(KeyError): g()", 0, id="best effort"),
        pytest.param("from contextlib import suppress\nwith suppress(KeyError): a = g()\nh(a)", 1, id="suppressed"),
    ],
)
def test_handlers_without_effect_are_silent(facts, source, silent):
    assert facts(source)["code.silent_excepts"].value == silent


def test_a_handler_that_caught_something_is_counted(facts):
    source = handler(" (ValueError, OSError)") + "try:\n    g()\nexcept:\n    h()\n"
    (finding,) = facts(source)["code.specific_excepts"].findings
    assert (finding.message, finding.line) == ("`(ValueError, OSError)` is caught in f", 5)


def test_a_handler_is_found_by_file_line_and_function(facts):
    finding = facts(handler("", "pass"))["code.silent_excepts"].findings[0]
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


@pytest.mark.parametrize(
    ("use", "value"),
    [
        pytest.param("await asyncio.gather(*tasks, return_exceptions=True)", 1, id="dropped"),
        pytest.param("await asyncio.gather(*tasks)", 0, id="raised"),
        pytest.param("await asyncio.gather(*tasks, return_exceptions=False)", 0, id="raised as it says"),
        pytest.param("return await asyncio.gather(*tasks, return_exceptions=True)", 0, id="given back"),
        pytest.param("tasks[0].cancel()\n    await asyncio.gather(*tasks, return_exceptions=True)", 0, id="cancelled"),
    ],
)
def test_errors_asked_for_and_never_looked_at_are_swallowed(facts, use, value):
    assert facts(f"import asyncio\nasync def f(tasks):\n    {use}\n")["code.silent_excepts"].value == value
