"""The host program: an interpreter with modules preloaded that forks one child for each run.

Called as ``python -s -S -B FOLDER CONTROL_FD ROOT [PYTEST_FOLDER...]``. With the folders of pytest, it is a host for
the player's own tests. Then its hello says only that it is ready, because its client already knows another host of the
same interpreter.
"""

from __future__ import annotations

import functools
import os
import socket
import sys

if sys.version_info < (3, 9):  # noqa: UP036 - the player's interpreter may have any version
    sys.exit(f"Python 3.9 or newer is needed, this is {sys.version_info[0]}.{sys.version_info[1]}")

from runs import preload

# Trials run one after the other and are waited for; tests run concurrently and are less urgent: they yield.
_TEST_HOST_NICENESS = 4


def main() -> None:
    """Serve runs until the client disconnects."""
    preload.hold_fork_hooks()  # before the following imports, whose modules register hooks
    from cage import layers
    from runs import server

    control = socket.socket(fileno=int(sys.argv[1]))
    os.set_inheritable(control.fileno(), False)
    root, pytest_folders = sys.argv[2], sys.argv[3:]
    layers.harden_host()
    preload.load_and_use_modules()
    from runs.run_clock import RunClock

    clock = RunClock(root)
    if not pytest_folders:
        server.serve_requests(control, root, clock, says_hello=True)
        return
    from player_tests import coordinator, pytest_preload, python_clients
    from player_tests.hypothesis_preload import HypothesisPreload

    os.nice(_TEST_HOST_NICENESS)
    pytest_preload.preload_pytest(pytest_folders, root)
    serve = functools.partial(coordinator.serve_tests, clock)
    clients = python_clients.write_clients(root)
    tests = server.TestService(HypothesisPreload(pytest_folders, root).prepare, serve, clients)
    server.serve_requests(control, root, clock, says_hello=False, tests=tests)


if __name__ == "__main__":
    main()
