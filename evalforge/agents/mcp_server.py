"""The bosses over the Model Context Protocol, for agents that support it; needs the extra ``mcp``."""

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

from evalforge import __version__
from evalforge.agents.agent_feedback import Feedback
from evalforge.agents.boss_tools import BossContract, BossTools, ListedBoss, NextStep, Workplace
from evalforge.agents.message_lines import message_streams
from evalforge.evidence.reason_chain import CriterionReason
from evalforge.fight import FightOptions, Forge
from evalforge.history.store import History
from evalforge.model.events import Event, TrialFinished, TrialsPlanned
from evalforge.model.rubric import BossRubric
from evalforge.model.text import clean_line, clean_name
from evalforge.own_failure import error_words

_INSTRUCTIONS = """\
EvalForge judges what you build by running it. Choose a boss with list_bosses, read its contract (trials test nothing
else) and its rubric, write the program in a folder, and hand that in with judge_folder. explain_attempt says how a
criterion got its level, next_step what to do next. The trials themselves are hidden."""
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_JUDGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
_MAX_NAME_CHARS = 60
_UNNAMED_AGENT = "agent"

Lifespan = dict[str, object]


class BossServer:
    """The server of one agent.

    Args:
        history: Stores its attempts.
        workplace: The folders it works with.
        options: How its folders are judged; ``agent`` is its name, or empty to use the client's.
    """

    def __init__(self, history: History, workplace: Workplace, options: FightOptions) -> None:
        self._forge = Forge(history)
        self._agent = options.agent
        self._tools = BossTools(self._forge, history, workplace, options)
        self._server: MCPServer[Lifespan] = MCPServer(
            "evalforge",
            title="EvalForge",
            instructions=_INSTRUCTIONS,
            version=__version__,
            log_level="ERROR",
            lifespan=self._lifespan,
        )
        for tool in (self.list_bosses, self.read_contract, self.read_rubric, self.explain_attempt, self.next_step):
            self._server.add_tool(tool, annotations=_READS)
        self._server.add_tool(self.judge_folder, annotations=_JUDGES)

    def run(self) -> None:
        """Serve standard input and output until the client closes them."""
        with message_streams():
            self._server.run("stdio")

    @asynccontextmanager
    async def _lifespan(self, _server: MCPServer[Lifespan]) -> AsyncGenerator[Lifespan]:
        async with self._forge:
            yield {}

    # Async though nothing is awaited: the history belongs to one thread, and the SDK runs sync functions in several.
    async def list_bosses(self) -> list[ListedBoss]:
        """List the bosses: things worth building, each with a contract and a rubric, from tier 1 (easy) to 4."""
        with _errors_for_agents():
            return self._tools.list_bosses()

    async def read_contract(self, boss_id: str) -> BossContract:
        """Read what to build: a boss's mission and its contract. Trials test nothing that it doesn't say."""
        with _errors_for_agents():
            return self._tools.read_contract(boss_id)

    async def read_rubric(self, boss_id: str) -> BossRubric:
        """Read how a boss is judged: its criteria, every level of each, and the score at which it falls."""
        with _errors_for_agents():
            return self._tools.read_rubric(boss_id)

    async def judge_folder(self, boss_id: str, directory: str, ctx: Context[Lifespan], notes: str = "") -> Feedback:
        """Submit a folder: it is run in a sandbox, judged, and stored as an attempt of yours. Takes seconds.

        Args:
            boss_id: The boss.
            directory: The folder with your program; a relative path is below the folder you may submit from.
            ctx: The call.
            notes: Notes on your approach; your README is used if this is empty.
        """
        progress = _Progress(ctx)
        with _errors_for_agents():
            agent = self._agent or _client_name(ctx)
            return await self._tools.judge_folder(boss_id, directory, agent, notes, progress.show)

    async def explain_attempt(self, attempt_id: str, criterion: str) -> CriterionReason:
        """Explain why a criterion of an attempt has its level: rules, measured facts, trials, their calls, lines."""
        with _errors_for_agents():
            return self._tools.explain_attempt(attempt_id, criterion)

    async def next_step(self, attempt_id: str) -> NextStep:
        """Say what to do next after an attempt: the most valuable improvement first."""
        with _errors_for_agents():
            return self._tools.next_step(attempt_id)


class _Progress:
    """Reports each finished trial to the client that asked for the judging."""

    def __init__(self, ctx: Context[Lifespan]) -> None:
        self._ctx = ctx
        self._planned = self._finished = 0

    async def show(self, event: Event) -> None:
        if isinstance(event, TrialsPlanned):
            self._planned = sum(event.groups.values())
        if isinstance(event, TrialFinished):
            self._finished += 1
            # Whether the code loads counts as a trial, too, but isn't planned.
            total = max(self._planned, self._finished)
            await self._ctx.report_progress(self._finished, total, clean_line(event.trial.title))


@contextmanager
def _errors_for_agents() -> Generator[None]:
    """Pass the message of an error on to the agent; without this the SDK would hide it."""
    try:
        yield
    except Exception as error:
        raise ToolError(error_words(error)) from error


def _client_name(ctx: Context[Lifespan]) -> str:
    parameters = ctx.session.client_params
    name = clean_name(parameters.client_info.name, _MAX_NAME_CHARS) if parameters else ""
    return name or _UNNAMED_AGENT
