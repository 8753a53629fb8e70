"""A program that a claim's steps are performed on: its process, its runs, and the files passed between them."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from evalforge.evidence.claims.claim_steps import ClaimError, CommandStep
from evalforge.evidence.trials.proxies import Player, PlayerError
from evalforge.evidence.trials.scripts import Cli, ScriptRun
from evalforge.evidence.trials.trial_run import TrialRecord
from evalforge.model.text import clean_line
from evalforge.sandbox.client import Host
from evalforge.sandbox.program import Program
from evalforge.sandbox.report import RunLimits
from evalforge.sandbox.staging import StagedSubmission

LIMITS = RunLimits(seconds=2.0)
"""Limits of one call or run of a claim, the same as for trials."""
MAX_FILE_CHARS = 100_000
MAX_FILES = 20
_MAX_KEPT_FILES = 100
_MAX_KEPT_BYTES = 4_000_000
_MAX_NAME_CHARS = 100
_MAX_CLASSES = 40
_CODE_SUFFIXES = (".py", ".pyc", ".pth", ".so", ".pyd")


class ClaimedProgram:
    """One program in the sandbox, for one run of a claim.

    Args:
        host: The host that runs the code.
        staged: The program on disk.
        program: Its entry; None if it lacks one.
        entry_files: The names that the entry may have.
        files: The initial files of the working directory.

    Attributes:
        files: The files of the working directory, as far as known on this side.
        record: The steps so far.
    """

    def __init__(
        self,
        host: Host,
        staged: StagedSubmission,
        program: Program | None,
        entry_files: tuple[str, ...],
        files: Mapping[str, str],
    ) -> None:
        self._host = host
        self._staged = staged
        self._program = program
        self._player: Player | None = None
        self.module_names = tuple(dict.fromkeys(name.removesuffix(".py") for name in entry_files))
        self.files: dict[str, bytes] = {}
        self.record = TrialRecord()
        for name, content in files.items():
            self.write(name, content)
        entry_name = " or ".join(entry_files)
        self._cli = Cli(host, staged, program, entry_name, LIMITS, self.record.add_step)

    @property
    def player(self) -> Player:
        """The program's modules, in a process that lasts until a file is read or a command is run."""
        if self._player is None:
            player = Player(self._host, self._staged, LIMITS, self.record.add_step)
            player.files(self.files)
            self.record.command = lambda: player.command(self._program)
            self._player = player
        return self._player

    def run(self, command: CommandStep) -> ScriptRun:
        """Run the program in a process of its own, with the files that earlier steps left.

        Raises:
            ClaimError: It has no entry to run, or its standard input isn't one of the claim's files.
            RunStoppedError: The run didn't end by itself.
        """
        self.end_process()
        if self._program is None:
            raise ClaimError("the program can't be started")
        stdin = self._content(command.stdin_name) if command.stdin_name else b""
        self.record.command = self._cli.command
        run = self._cli(*command.args, files=self.files, stdin=stdin)
        self._keep(run.files)
        return run

    def read(self, name: str) -> bytes:
        """Read a file in the working directory, after ending the process."""
        self.end_process()
        return self._content(name)

    def _content(self, name: str) -> bytes:
        if name not in self.files:
            raise ClaimError(f"there is no file {clean_line(str(name), 80)}")
        return self.files[name]

    def write(self, name: str, content: str | bytes) -> None:
        """Put a file in the working directory, after ending the process.

        Raises:
            ClaimError: It isn't a data file in or below the directory, or it is too large.
        """
        self.end_process()
        path = PurePosixPath(name)
        is_inside = bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\0" not in name
        if not is_inside or len(name) > _MAX_NAME_CHARS or path.suffix.lower() in _CODE_SUFFIXES:
            raise ClaimError(f"{clean_line(name, 80)} can't be the name of a data file")
        if len(content) > MAX_FILE_CHARS or (name not in self.files and len(self.files) >= MAX_FILES):
            raise ClaimError(f"at most {MAX_FILES} files of {MAX_FILE_CHARS:,} characters can be laid out")
        self.files[name] = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content

    def end_process(self) -> None:
        """End the process of the calls so far, and keep the files it wrote."""
        player, self._player = self._player, None
        report = player.close() if player else None
        if report is not None:
            self._keep(report.files)

    def stop(self) -> None:
        """End the process, ignoring its files."""
        if self._player is not None:
            self._player.close()
            self._player = None

    def class_names(self, error: PlayerError) -> tuple[str, ...]:
        """The names of an exception's class and its bases, its own first."""
        names = [error.type_name, *(kind.__name__ for kind in type(error).__mro__)]
        if self._player is not None and error.original is not None:
            names = [error.type_name, *self._player.class_names(error.original)]
        return tuple(clean_line(str(name), _MAX_NAME_CHARS) for name in names[:_MAX_CLASSES])

    def _keep(self, files: Mapping[str, bytes]) -> None:
        """Keep the files that the program wrote for the following steps."""
        self.files.update(files)
        if len(self.files) > _MAX_KEPT_FILES or sum(map(len, self.files.values())) > _MAX_KEPT_BYTES:
            raise ClaimError("the program left more files than a claim can carry on")
