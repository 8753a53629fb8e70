"""Where namespaces are granted to bubblewrap alone, the player's tests run inside it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalforge.evidence.suite.examination import PlayerTestExamination
from evalforge.model.evidence import Fact
from evalforge.model.submission import Submission
from evalforge.sandbox.client import Host
from evalforge.sandbox.player_test_host import PlayerTestHost
from tests import factories

BWRAP = "/usr/bin/bwrap"

pytestmark = pytest.mark.skipif(not os.access(BWRAP, os.X_OK), reason="needs bubblewrap")


@pytest.fixture(scope="module")
def hosts() -> Iterator[tuple[Host, PlayerTestHost]]:
    """A host that found what one finds on a machine with such a rule, and one for tests beside it."""
    host = Host("", "standard")
    host.probe = {**host.probe, "layer": "standard", "userns": False, "bwrap": BWRAP}
    beside = PlayerTestHost(host)
    yield host, beside
    beside.shut_down()
    host.shut_down()


def facts(hosts: tuple[Host, PlayerTestHost], submission: Submission) -> dict[str, Fact]:
    with PlayerTestExamination(hosts[1:], submission) as examination:
        return {fact.name: fact for fact in examination.result().facts}


ADD = "def add(a, b):\n    return a + b\n"
TESTED = "import add\ndef test_it(): assert add.add(2, 3) == 5\n"


def test_faults_are_tried_there_as_anywhere(hosts: tuple[Host, PlayerTestHost]) -> None:
    found = facts(hosts, factories.submission(add=ADD, test_add=TESTED))
    assert found["tests.passed"].value == 1.0
    assert found["tests.mutation_score"].value == 1.0


HOSTILE = """
import os, socket, subprocess, sys
import pytest

def test_no_network():
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", {port}), 1)

def test_nothing_outside_is_seen():
    with pytest.raises(OSError):
        open({secret!r}).read()

def test_a_daemon():
    if not os.fork():
        try:
            os.setsid()
        except OSError:
            pass
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(300)", {mark!r}])
"""


def test_no_network_no_secrets_and_no_daemon_stays(hosts: tuple[Host, PlayerTestHost], tmp_path: Path) -> None:
    import socket

    mark = f"daemon-of-{tmp_path.name}"
    secret = tmp_path / "secret"
    secret.write_text("not yours")
    with socket.create_server(("127.0.0.1", 0)) as server:
        text = HOSTILE.format(port=server.getsockname()[1], secret=str(secret), mark=mark)
        found = facts(hosts, factories.submission(add=ADD, test_add=TESTED, test_hostile=text))
    failed = [finding.message for finding in found["tests.passed"].findings]
    assert not [message for message in failed if "daemon" not in message], failed
    hosts[1].start()
    assert mark not in processes()


def test_a_full_disk_is_that_hand_in_s_own_loss(hosts: tuple[Host, PlayerTestHost]) -> None:
    text = "def test_it():\n    for n in range(64): open('big%d' % n, 'wb').write(bytes(8 * 1024 * 1024))\n"
    assert facts(hosts, factories.submission(add=ADD, test_fill=text))["tests.passed"].value == 0.0
    assert facts(hosts, factories.submission(add=ADD, test_add=TESTED))["tests.passed"].value == 1.0


def processes() -> str:
    """The command lines of all processes."""
    lines: list[str] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(path.read_text("utf-8", "replace"))
        except OSError:
            continue
    return "\n".join(lines)
