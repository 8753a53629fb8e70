"""Tests that remember one run in the next catch no more than they do without it, in every layer of the cage."""

from collections.abc import Iterator

import pytest

from evalforge.evidence.suite.examination import PlayerTestExamination
from evalforge.model.evidence import Fact
from evalforge.model.submission import Submission
from evalforge.sandbox.client import Host
from evalforge.sandbox.player_test_host import PlayerTestHost
from tests.evidence.conftest import CLASSIFY
from tests.evidence.memories import MEMORIES
from tests.evidence.remembering import REMEMBERING

HEAD = """
import os, sys
from classify import classify

def probe():
    return '|'.join(map(str, [classify(1, 2), classify(2, 2), classify(3, 2)]))
"""
HONEST = """
import tempfile
import threading

FOLDER = tempfile.mkdtemp()
threading.Thread(target=threading.Event().wait, daemon=True).start()
open('made.txt', 'w').write('made')

def test_it():
    open(os.path.join(FOLDER, 'table'), 'w').write(probe())
    assert open(os.path.join(FOLDER, 'table')).read() == 'low|high|high'
    assert open('made.txt').read() == 'made'
    assert os.path.isdir(os.path.expanduser('~'))
"""
CAGES = ("full", "standard")
# Without a cage, the machine's own places are open to all. Only code that its player trusts is run there.
NOT_CAGED = {"above that", "/tmp", "/var/tmp", "shared memory", "named shared memory", "shared memory of System V"}
NOT_CAGED |= {"queue of System V", "abstract socket", "daemon", "time of a readable file"}


@pytest.fixture(scope="module", params=[*CAGES, "basic"])
def layer_host(request: pytest.FixtureRequest) -> Iterator[PlayerTestHost]:
    host = Host(layer=request.param)
    beside = PlayerTestHost(host)
    yield beside
    beside.shut_down()
    host.shut_down()


def facts(host: PlayerTestHost, test_file: str) -> dict[str, Fact]:
    texts = {"classify.py": CLASSIFY, "test_classify.py": test_file, "notes.txt": "." * 200}
    submission = Submission.of(texts)
    with PlayerTestExamination([host], submission) as examination:
        return {fact.name: fact for fact in examination.result().facts}


@pytest.mark.rotating
@pytest.mark.parametrize("name", MEMORIES)
def test_a_run_remembers_nothing_of_the_one_before(layer_host: PlayerTestHost, name: str) -> None:
    if layer_host.layer not in CAGES and name in NOT_CAGED:
        return
    found = facts(layer_host, HEAD + MEMORIES[name] + REMEMBERING)
    assert found["tests.passed"].value == 1.0
    assert found["tests.mutation_score"].value == 0.0, found["tests.mutation_score"]


@pytest.mark.parametrize("how", ["start_new_session=True", "preexec_fn=os.setsid"])
def test_a_program_may_begin_a_session_in_every_layer(layer_host: PlayerTestHost, how: str) -> None:
    started = f"subprocess.run([sys.executable, '-c', 'print(7)'], capture_output=True, {how})"
    found = facts(layer_host, f"{HEAD}import subprocess\ndef test_it(): assert {started}.stdout == b'7\\n'\n")
    assert found["tests.passed"].value == 1.0, found["tests.passed"]


def test_files_that_loading_makes_are_there_in_every_run(layer_host: PlayerTestHost) -> None:
    found = facts(layer_host, HEAD + HONEST)
    assert (found["tests.passed"].value, found["tests.mutation_score"].value) == (1.0, 1.0)
