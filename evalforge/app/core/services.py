"""The services the game is given: the bosses, the history, and an engine that judges. The command line builds them."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from evalforge.app.core.navigation import ROSTER, StartRequest
from evalforge.model.errors import EvalForgeError
from evalforge.packs.locations import CONFIGURATION

if TYPE_CHECKING:
    from evalforge.fight import FightOptions, Forge
    from evalforge.history.store import History
    from evalforge.judges.registry import JudgeOffer
    from evalforge.llm.model_options import ModelOptions
    from evalforge.model.submission import Submission
    from evalforge.packs.pack import BossPack
    from evalforge.packs.summary import BossSummary


@asynccontextmanager
async def open_engine(history: Path) -> "AsyncGenerator[Forge]":
    """Open an engine with its own connection to the history, and close both at the end."""
    from evalforge.fight import Forge
    from evalforge.history.store import History

    with History(history) as store:
        async with Forge(store) as forge:
            yield forge


class Services(NamedTuple):
    """Everything the game needs from the layers below.

    Args:
        bosses: Folders searched for boss packs.
        history: The file attempts are stored in.
        judge: Name of the chosen judge.
        motion: ``full``, ``reduced`` or ``none``.
        tone: ``lively``, or ``plain`` if the boss comments on nothing.
        theme: Name of one of our themes.
        ascii_only: Whether to draw with ASCII signs only.
        start: What to open first.
        starter_folder: The folder for starter folders and exports; it is created on demand.
        bell: Whether the terminal's bell rings when a fight has ended.
        editor: The player's editor as a command; empty for the one that the environment names.
        config: The file that keeps changed settings; ``config.toml`` beside the history if None.
        models: Which models a model judge asks; the judge's own defaults if None.
        python: The interpreter for the player's code; ours if empty.
        trusted: Whether it may run without a sandbox.
        open_engine: Opens an engine over the history; the game keeps one open while it runs.
    """

    bosses: tuple[Path, ...]
    history: Path
    judge: str = "forge"
    motion: str = "full"
    tone: str = "lively"
    theme: str = ""
    ascii_only: bool = False
    start: StartRequest = ROSTER
    starter_folder: Path = Path()
    bell: bool = False
    editor: str = ""
    config: Path | None = None
    models: "ModelOptions | None" = None
    python: str = ""
    trusted: bool = False
    open_engine: "Callable[[Path], AbstractAsyncContextManager[Forge]]" = open_engine

    @property
    def welcome_mark(self) -> Path:
        """The file that says that the player was welcomed."""
        return self.history.with_name("welcomed")

    @property
    def config_file(self) -> Path:
        """The file that keeps changed settings."""
        return self.config or self.history.with_name(CONFIGURATION)

    def with_setting(self, name: str, value: str | bool) -> "Services":
        """The same services with another value of a setting; a model's name becomes a list of names."""
        if name == "model":
            from evalforge.llm.model_options import ModelOptions, split_models

            return self._replace(models=replace(self.models or ModelOptions(), models=split_models(str(value))))
        return self._replace(**{name: value})

    @property
    def evaluations(self) -> Path:
        """The folder of stored evaluations."""
        return self.history.with_name("evaluations")

    def find_bosses(self) -> "tuple[BossSummary, ...]":
        """The bosses of the roster; fast enough for the first frame."""
        from evalforge.packs.roster_cache import ROSTER_CACHE, find_bosses_cached

        return find_bosses_cached(self.bosses, self.history.with_name(ROSTER_CACHE))

    def open_history(self) -> "History":
        """Open the store of attempts.

        Raises:
            HistoryError: It can't be read.
        """
        from evalforge.history.store import History

        return History(self.history)

    def options(self, notes: str = "", *, practice: bool = False, tries: int | None = None) -> "FightOptions":
        """The options of a fight here; practice leaves no attempt."""
        from evalforge.fight import FightOptions
        from evalforge.llm.model_options import ModelOptions

        return FightOptions(
            # Practice judges every save, so it uses the forge, which costs nothing.
            judge="forge" if practice else self.judge,
            models=self.models or ModelOptions(),
            notes=notes,
            save=not practice,
            python=self.python,
            tries=tries,
            trusted=self.trusted,
            strikes_early=True,
        )

    def offers(self) -> "tuple[JudgeOffer, ...]":
        """Every judge: whether it is available here, and why or why not."""
        from evalforge.judges.registry import judge_offers

        return judge_offers(self.models)

    async def price(self, pack: "BossPack", submission: "Submission") -> str:
        """The price of a fight with the chosen judge, as text; empty for the forge, which is free."""
        if self.judge == "forge":
            return ""
        from evalforge.judges.registry import estimate_cost

        return (await estimate_cost(pack, submission, self.judge, self.models, count_on_server=True)).price_words

    def collect(self, pack: "BossPack", directory: Path, notes: str = "") -> "Submission":
        """Collect the submission for a boss from a directory.

        Raises:
            SubmissionError: There is nothing to judge.
        """
        from evalforge.submissions.boss_submission import collect_for

        return collect_for(pack, directory, notes)

    def collect_quietly(self, pack: "BossPack", directory: Path, notes: str = "") -> "Submission":
        """Collect the submission for a boss from a directory; empty if there is nothing to judge."""
        from evalforge.model.submission import Submission

        try:
            return self.collect(pack, directory, notes)
        except EvalForgeError:
            return Submission(files=())

    def read_folder(self, directory: Path) -> "Submission":
        """Read the files of a directory, whatever its program is called; empty if there is nothing to judge."""
        from evalforge.model.submission import Submission
        from evalforge.submissions.collect import collect

        try:
            return collect(directory)
        except EvalForgeError:
            return Submission(files=())

    def can_begin(self, directory: Path) -> bool:
        """Whether a starter folder can be created there: nothing exists yet, or only an empty folder."""
        from evalforge.packs.atomic_files import is_missing_or_empty

        try:
            return is_missing_or_empty(directory)
        except OSError:
            return False
