"""Checks of the sandbox and the interpreter: a fight is judged as by ``judge``, and its refusal is what is reported."""

import asyncio
import shlex
import sys
from collections.abc import Iterator
from contextlib import aclosing

from evalforge.cli.health_report import Check, CheckState
from evalforge.cli.settings import Settings
from evalforge.model.errors import SandboxError
from evalforge.model.events import Started, Ungraded
from evalforge.packs.locations import shipped_bosses

_BOSS, _EXEMPLAR = "training-dummy", "flawless"
"""A shipped boss and a program with tests that defeats it; judging it takes the fewest seconds."""


def examine_judging(config: Settings) -> Iterator[Check]:
    """Check the sandbox and interpreter that a judging would use, by judging a shipped program."""
    started, ungraded = asyncio.run(_judge_sample(config))
    if started is None:
        assert ungraded is not None
        yield Check(name="isolation", state=CheckState.FAILED, message=ungraded.reason, remedy=ungraded.advice)
        return
    isolation = _isolation_check(started, ungraded, config)
    yield isolation
    interpreter = _interpreter_check(config.python)
    yield interpreter
    if CheckState.FAILED not in (isolation.state, interpreter.state):
        yield _measuring_check(ungraded)


async def _judge_sample(config: Settings) -> tuple[Started | None, Ungraded | None]:
    """Judge a shipped program and return what the fight said at its start, and why it was refused, if it was."""
    from evalforge.fight import FightOptions, Forge
    from evalforge.packs.pack import load_pack

    started: Started | None = None
    ungraded: Ungraded | None = None
    pack = load_pack(shipped_bosses() / _BOSS)
    options = FightOptions(python=config.python, trusted=config.trusted, save=False, again=True)
    async with Forge() as forge, aclosing(forge.fight(pack, pack.path / "exemplars" / _EXEMPLAR, options)) as events:
        async for event in events:
            if isinstance(event, Started):
                started = event
            elif isinstance(event, Ungraded):
                ungraded = event
    return started, ungraded


def _isolation_check(started: Started, ungraded: Ungraded | None, config: Settings) -> Check:
    from evalforge.sandbox.isolation import CAGED_LAYERS, NO_ISOLATION_MESSAGE

    message = f"{started.isolation}. {started.isolation_note}".strip()
    if ungraded is not None and ungraded.reason == NO_ISOLATION_MESSAGE:
        return Check(name="isolation", state=CheckState.FAILED, message=message, remedy=ungraded.advice)
    if started.isolation not in CAGED_LAYERS and config.trusted:
        message = f"{message} Code runs because you trust it."
        return Check(name="isolation", state=CheckState.NOTE, message=message)
    return Check(name="isolation", state=CheckState.OK, message=message)


def _interpreter_check(python: str) -> Check:
    """Check whether a chosen interpreter starts, and whether it can run a player's tests, too."""
    from evalforge.sandbox.client import Host
    from evalforge.sandbox.player_test_host import runs_pytest

    try:
        host = Host(python)
        version = ".".join(map(str, host.version))
        host.shut_down()
    except SandboxError as error:
        return Check(name="interpreter", state=CheckState.FAILED, message=error.message, remedy=error.hint)
    message = f"Python {version}, {python or sys.executable}"
    if not python or runs_pytest(python):
        return Check(name="interpreter", state=CheckState.OK, message=message)
    message += " can't run our pytest and has none: bosses that ask for tests are left ungraded"
    remedy = f"Install it there: {shlex.join([python, '-m', 'pip', 'install', 'pytest'])}"
    return Check(name="interpreter", state=CheckState.FAILED, message=message, remedy=remedy)


def _measuring_check(ungraded: Ungraded | None) -> Check:
    if ungraded is None:
        message = f"the {_EXEMPLAR} program of {_BOSS} was judged"
        return Check(name="measuring", state=CheckState.OK, message=message)
    return Check(name="measuring", state=CheckState.FAILED, message=ungraded.reason, remedy=ungraded.advice)
