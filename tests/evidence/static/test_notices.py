"""Log records, prints and words on standard error."""

import pytest

SAY = "import sys\ndef say(text, to): print(text, file=to)\n"


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("import logging\nlogging.info('x')", 1, id="module"),
        pytest.param("import logging as l\nl.warning('x')", 1, id="alias"),
        pytest.param("from logging import getLogger\ngetLogger('a').error('x')", 1, id="at once"),
        pytest.param("import logging\nout = logging.getLogger()\ndef f(): out.debug('x')", 1, id="any name"),
        pytest.param("class C:\n    def f(self): self._logger.exception('x')", 1, id="attribute"),
        pytest.param("def f(log): log.critical('x')", 1, id="parameter"),
        pytest.param("from loguru import logger\nlogger.info('x')", 1, id="loguru"),
        pytest.param("from app.log import LOG\nLOG.info('x')", 1, id="imported"),
        pytest.param(
            "import logging\ndef make():\n    return logging.getLogger()\nout = make()\nout.error('x')", 1, id="helper"
        ),
        pytest.param("import logging\ndef f(out: logging.Logger): out.error('x')", 1, id="declared"),
        pytest.param("import logging\nout: object = logging.getLogger()\nout.error('x')", 1, id="annotated"),
        pytest.param("import logging\nlogging.basicConfig(level=logging.INFO)", 0, id="set-up"),
        pytest.param("import math\nmath.log(2)", 0, id="math.log"),
        pytest.param("def f(parser): parser.error('x')", 0, id="parser"),
        pytest.param("def f(catalog, dialog): catalog.info(); dialog.error()", 0, id="words ending in log"),
    ],
)
def test_log_records_are_counted_whatever_the_logger_is_called(facts, source, value):
    assert facts(source)["code.logging_calls"].value == value


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("print('x')", 0, id="print"),
        pytest.param("import sys\nprint('x', file=sys.stderr)", 1, id="print to stderr"),
        pytest.param("from sys import stderr as e\nprint('x', file=e)", 1, id="alias"),
        pytest.param(
            """
            import sys
            def f():
                err = sys.stderr
                print('x', file=err)
            """,
            1,
            id="by variable",
        ),
        pytest.param("import sys\nprint('x', file=sys.stdout)", 0, id="print to stdout"),
        pytest.param("import sys\nsys.stdout.write('x')", 0, id="stdout"),
        pytest.param("import sys\nsys.stderr.write('x')", 1, id="stderr"),
        pytest.param("import sys\nsys.exit('no such file')", 1, id="exit with words"),
        pytest.param("import sys\nsys.exit(f'no {x}')", 1, id="exit with f-string"),
        pytest.param("import sys\nsys.exit('no ' + x)", 1, id="exit with joined words"),
        pytest.param("try: f()\nexcept ValueError as e: raise SystemExit(e)", 1, id="exit with the error"),
        pytest.param("import sys\nsys.exit(1)", 0, id="exit with a code"),
        pytest.param("import sys\nsys.exit(main())", 0, id="exit with a result"),
        pytest.param("import argparse\np = argparse.ArgumentParser()\np.error('x')", 1, id="usage error"),
        pytest.param(f"{SAY}say('x', sys.stderr)", 1, id="handed stream"),
        pytest.param(f"{SAY}say('x', sys.stdout)", 0, id="handed standard output"),
        pytest.param(f"{SAY}say('x', sys.stdout)\nsay('x', sys.stderr)", 1, id="handed both"),
        pytest.param("import sys\ndef say(text, to=sys.stderr): to.write(text)", 1, id="default stream"),
        pytest.param("import sys\ndef say(to=None): print('x', file=to or sys.stderr)", 1, id="stream or default"),
        pytest.param(
            "import sys\nclass Say:\n    def __init__(self, to): self._to = to\n"
            "    def say(self): print('x', file=self._to)\nSay(sys.stderr)",
            1,
            id="stream of an object",
        ),
        pytest.param(
            "import functools, sys\nsay = functools.partial(print, file=sys.stderr)\nsay('x')", 1, id="partial"
        ),
        pytest.param(
            "import sys\ndef words(e): return f'no {e}'\nsys.exit(words(1))", 1, id="exit with words of a helper"
        ),
        pytest.param(
            "import sys\ndef status(e): return 2 if e else 1\nsys.exit(status(1))", 0, id="exit with its code"
        ),
        pytest.param(
            "import argparse\ndef build(): return argparse.ArgumentParser()\nline = build()\nline.error('x')",
            1,
            id="usage error by a helper",
        ),
        pytest.param("import click\nclick.echo('x')", 0, id="click"),
        pytest.param("import click\nclick.echo('x', err=True)", 1, id="click to stderr"),
        pytest.param("class C:\n    def print(self): pass\nC().print()", 0, id="method"),
        pytest.param("def print(x): pass\nprint(1)", 0, id="own print"),
    ],
)
def test_words_on_standard_error_count_whoever_writes_them(facts, source, value):
    assert facts(source)["code.stderr_writes"].value == value
