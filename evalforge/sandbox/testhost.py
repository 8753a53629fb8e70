"""A second host, in which pytest waits: there the player's own tests are examined."""

import importlib.util
import socket
from dataclasses import dataclass
from pathlib import Path

from evalforge.sandbox.client import Host
from evalforge.sandbox.isolation import bubblewrapped
from evalforge.sandbox.program import Call
from evalforge.sandbox.report import RunLimits
from evalforge.sandbox.stage import Staged

_GRACE = 1.0


@dataclass(frozen=True)
class Examination:
    """What to examine: paths of test files and of the other Python files, and the time for all of it."""

    tests: tuple[str, ...]
    code: tuple[str, ...]
    seconds: float


class TestHost(Host):
    """A host with pytest. It starts without anybody waiting for it: the first request does.

    Args:
        beside: The host for the same interpreter, already met, whose isolation this one shares.
    """

    __test__ = False  # not a test, whatever its name

    def __init__(self, beside: Host) -> None:
        self._beside = beside
        super().__init__(beside.python, beside.layer)

    def start(self) -> None:
        """Start the host, or start another in place of one that is gone.

        Raises:
            SandboxError: The interpreter can't be started.
        """
        self._launch(*_kit())
        self.version, self.probe, self.layer = self._beside.version, self._beside.probe, self._beside.layer
        self._readable = self._beside.readable

    def _shut_in(self, command: list[str]) -> list[str]:
        """Tests start programs: where namespaces aren't to be had, bubblewrap may still have them."""
        bwrap = str(self._beside.probe.get("bwrap") or "")
        return bubblewrapped(command, bwrap, self._root.name) if bwrap else command

    def examine(self, staged: Staged, examination: Examination, limits: RunLimits) -> socket.socket:
        """Begin an examination; what is said on the line is described in ``host/examine.py``.

        Raises:
            SandboxError: The host was gone; another was started.
        """
        request = self._request("tests", staged, {"kind": "tests"}, Call(), limits)
        folders = sorted({Path(path).parent.as_posix() for path in examination.tests} - {"."})
        request.update(
            path=[],
            bytecode="",  # faults are put in where source is compiled
            layer=self.layer,
            allow_fork=True,
            examination={**vars(examination), "path": [*staged.import_path, *folders]},
        )
        request["limits"]["seconds"] = examination.seconds + _GRACE
        return self._begin(request)


def _kit() -> list[str]:
    """The folders that pytest and what it needs lie in."""
    names = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "exceptiongroup", "tomli")
    found = (importlib.util.find_spec(name) for name in names)
    return sorted({str(Path(spec.origin).parents[1]) for spec in found if spec and spec.origin})
