"""The parts of a submission that can be run, and the arguments of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Program:
    """What to run: a script by its path in the submission, or a module by its dotted name."""

    kind: str
    name: str

    def as_entry(self) -> dict[str, str]:
        """The entry in the form that the host reads."""
        return {"kind": self.kind, "path" if self.kind == "script" else "name": self.name}


@dataclass(frozen=True)
class Call:
    """The input of one run: arguments, standard input, environment, and files in its working directory."""

    args: tuple[str, ...] = ()
    stdin: bytes = b""
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
