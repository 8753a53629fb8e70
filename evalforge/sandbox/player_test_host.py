"""A second host, with pytest preloaded, in which the player's own tests run."""

import importlib.util
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

from evalforge.model.errors import SandboxError
from evalforge.sandbox.client import Host
from evalforge.sandbox.host.protocol import wire
from evalforge.sandbox.host.protocol.player_test_messages import PlayerTestPlan
from evalforge.sandbox.host.runs.run_clock import MAX_LOST_SECONDS
from evalforge.sandbox.host_process import HOST_ENVIRONMENT
from evalforge.sandbox.isolation import wrap_in_bubblewrap
from evalforge.sandbox.program import Call
from evalforge.sandbox.report import RunLimits
from evalforge.sandbox.staging import StagedSubmission

_GRACE_SECONDS = 1.0
SLOW_MACHINE_SECONDS = MAX_LOST_SECONDS + 60.0
"""How much longer than planned a host may take to answer: for its start, and for the time ``run_clock`` adds."""
_START_SECONDS = 60.0
_PYTEST_MODULES = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "exceptiongroup", "tomli")
_LIBRARIES = ("hypothesis",)


@dataclass(frozen=True)
class SuiteLimits:
    """How long a host lets one test run, and how long it lets all of them load, in seconds."""

    test_seconds: float = 5.0
    load_seconds: float = 10.0


class PlayerTestHost(Host):
    """A host with pytest. Nothing waits for its start until the first request.

    Args:
        program_host: The running host for the same interpreter, whose isolation this one shares.
        limits: The time limits of tests.
    """

    def __init__(self, program_host: Host, limits: SuiteLimits = SuiteLimits()) -> None:
        self._program_host = program_host
        self._limits = limits
        super().__init__(program_host.python, program_host.layer)

    def start(self) -> None:
        """Start the host, replacing one that has ended.

        Raises:
            SandboxError: The interpreter can't be started.
        """
        self._launch(*_pytest_folders())
        other = self._program_host
        self.version, self.probe, self.layer = other.version, other.probe, other.layer
        self._readable = other.readable

    def wait_until_warm(self) -> None:
        """Wait until a newly started host is ready, without sending a request.

        Raises:
            SandboxError: The host has ended, or sends nothing.
        """
        try:
            self._first_frame()
        except wire.WireError as error:
            raise SandboxError(f"The process for the player's tests did not start: {error}.") from None

    def _wrap_command(self, command: list[str]) -> list[str]:
        """Wrap the host in bubblewrap if only that may create namespaces, because tests start programs."""
        bwrap = str(self._program_host.probe.get("bwrap") or "")
        return wrap_in_bubblewrap(command, bwrap, self._root.name) if bwrap else command

    def start_tests(self, staged: StagedSubmission, plan: PlayerTestPlan, limits: RunLimits) -> socket.socket:
        """Begin to run tests; the messages on the socket are described in ``host/player_tests/coordinator.py``.

        Raises:
            SandboxError: The host had ended; another was started.
        """
        request = self._request("tests", staged, {"kind": "tests"}, Call(), limits)
        request.update(
            path=[],
            bytecode="",  # mutants are made when source is compiled
            layer=self.layer,
            allow_fork=True,
            examination=plan._replace(
                import_folders=staged.import_path, libraries=_named_libraries(staged), **vars(self._limits)
            )._asdict(),
        )
        request["limits"]["seconds"] = plan.seconds + _GRACE_SECONDS
        return self._begin_session(request)


def _named_libraries(staged: StagedSubmission) -> list[str]:
    """The test libraries of ours that a submission's files may import."""
    sources = [path.read_bytes() for path in staged.path.rglob("*.py")]
    return [name for name in _LIBRARIES if any(name.encode() in source for source in sources)]


def _pytest_folders() -> list[str]:
    """The folders of pytest and its dependencies."""
    specs = (importlib.util.find_spec(name) for name in (*_PYTEST_MODULES, *_LIBRARIES, "sortedcontainers"))
    return sorted({str(Path(spec.origin).parents[1]) for spec in specs if spec and spec.origin})


def runs_pytest(python: str) -> bool:
    """Whether an interpreter can run a player's tests: with our pytest, which a host tries first, or its own."""
    statements = "import sys; sys.path[:0] = sys.argv[1:]; import pytest"
    attempts = ([python, "-s", "-B", "-c", statements, *folders] for folders in (_pytest_folders(), ()))
    return any(_ends_well(command) for command in attempts)


def _ends_well(command: list[str]) -> bool:
    try:
        ended = subprocess.run(
            command, capture_output=True, env=HOST_ENVIRONMENT, cwd="/", timeout=_START_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return ended.returncode == 0
