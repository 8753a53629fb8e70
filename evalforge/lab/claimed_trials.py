"""Proven claims as trials: what a model once found by reading, trials then find by running.

A claim's steps become the statements of a trial, with the fixtures that trials of packs have. A sample:

    @pytest.mark.group("money")
    @pytest.mark.clause("ERRORS")
    def test_claimed_ints_are_accepted(player):
        '''an amount that isn't a Decimal (float, int, bool, str ...)'''
        ledger = player.module("ledger")
        l = ledger.Ledger()
        with pytest.raises(PlayerError) as caught:
            l.post('t', [('a', 5), ('b', -5)])
        assert "LedgerError" in player.class_names(caught.value.original), ...
"""

import ast
import asyncio
import re
from collections.abc import Iterable, Sequence

from evalforge.evidence.claims.claim_steps import ClaimError, CommandStep, Step, parse_statement, parse_step
from evalforge.evidence.claims.contract import is_stated
from evalforge.evidence.claims.outcomes import Outcome, OutcomeKind, parse_outcome
from evalforge.evidence.claims.stand_ins import ERRORS, STAND_INS
from evalforge.history.listing import AttemptFilter
from evalforge.history.store import History
from evalforge.model.claim import Claim
from evalforge.model.errors import EvalForgeError
from evalforge.model.evidence import ClaimResult
from evalforge.packs.contract_clauses import contract_sections
from evalforge.packs.pack import BossPack

_MAX_ATTEMPTS = 300
_MAX_NAME_CHARS = 48
_HEAD = '''"""Trials made of a model's claims about submissions that were proven by running them."""

import contextlib
import datetime
import json
from decimal import Decimal
from fractions import Fraction

import pytest

from evalforge.evidence.claims.stand_ins import answers, clock, error, journal, later, noted, sleeper
from evalforge.evidence.trials.player_errors import PlayerError
'''
_WHOLE_PROCESS = ("read", "write")


def distinct_proofs(results: Iterable[ClaimResult]) -> tuple[ClaimResult, ...]:
    """Return the confirmed claims, one for each distinct sequence of steps."""
    return tuple({result.claim.steps: result for result in results if result.is_confirmed}.values())


def trial_file(pack: BossPack, claims: Sequence[Claim]) -> str:
    """Write a file of trials; empty if none of the claims can be written as one."""
    trials = {trial_name(claim): text for claim in claims if (text := _trial(pack, claim))}
    return "\n\n".join((_HEAD, *trials.values())) if trials else ""


def trial_name(claim: Claim) -> str:
    """Return the name of a claim's trial."""
    text = re.sub(r"\W+", "_", claim.fault.lower(), flags=re.ASCII).strip("_")
    return f"test_claimed_{text[:_MAX_NAME_CHARS].rstrip('_')}"


def clause_of(pack: BossPack, claim: Claim) -> str:
    """Return the section of the contract that a claim quotes; empty if it quotes none."""
    sections = contract_sections(pack.definition.metadata.contract)
    return next((section.heading for section in sections if is_stated(" ".join(section.clauses), claim.contract)), "")


def _trial(pack: BossPack, claim: Claim) -> str:
    try:
        entry_files = pack.definition.metadata.entry_files
        steps = [parse_step(step, entry_files) for step in claim.steps]
        body = _statements(claim, steps, entry_files[0].removesuffix(".py"))
    except ClaimError:
        return ""
    groups = sorted(pack.rules.trial_groups(claim.criterion_id) - {"all"})
    clause = clause_of(pack, claim)
    marks = [f'@pytest.mark.group("{groups[0] if groups else claim.criterion_id}")']
    marks += [f"@pytest.mark.clause({clause!r})"] if clause else []
    has_commands = any(isinstance(step, CommandStep) for step in steps)
    files = [f"files = {claim.files!r}"] if has_commands else [f"player.files({claim.files!r})"] if claim.files else []
    fixture = "cli" if has_commands else "player"
    lines = [*files, *([] if has_commands else [_import_line(entry_files[0].removesuffix(".py"))]), *body]
    title = claim.contract.replace('"', "'").rstrip(" .\\")
    text = "\n".join(f"    {line}" for line in lines)
    return "\n".join((*marks, f"def {trial_name(claim)}({fixture}):", f'    """{title}."""', text, ""))


def _import_line(module: str) -> str:
    return f'{module} = player.module("{module}")'


def _statements(claim: Claim, steps: Sequence[Step], module: str) -> list[str]:
    """Return the statements of a trial.

    Raises:
        ClaimError: The steps use both kinds of process, or end one to look at its files.
    """
    kinds = {isinstance(step, CommandStep) for step in steps}
    nodes = (node for step in steps if isinstance(step, ast.stmt) for node in ast.walk(step))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    if not names.isdisjoint(_WHOLE_PROCESS) or (kinds == {True, False} and module in names):
        raise ClaimError("this takes several processes")
    lines = [line for step in steps[:-1] for line in _step_lines(step)]
    return lines + _last_lines(steps[-1], parse_outcome(claim.expected), claim.expected)


def _step_lines(step: Step) -> list[str]:
    if isinstance(step, CommandStep):
        return _command_lines(step)
    if isinstance(step, ast.Import | ast.ImportFrom):
        return []
    line = ast.unparse(_Native().visit(step))
    # In a claim, a step that raises doesn't prevent the next step.
    return [line] if isinstance(step, ast.Assign) else ["with contextlib.suppress(PlayerError):", f"    {line}"]


def _command_lines(step: CommandStep) -> list[str]:
    args = "".join(f"{arg!r}, " for arg in step.args)
    stdin = f", stdin=files[{step.stdin_name!r}]" if step.stdin_name else ""
    return [
        f"run = cli({args}files=files{stdin})",
        "files = {**files, **run.files}",
        "exit_status, stdout, stderr = run.exit_code, run.stdout, run.stderr",
    ]


def _last_lines(step: Step, expected: Outcome, expected_text: str) -> list[str]:
    if isinstance(step, CommandStep):
        message = f'f"Expected exit status {expected.value}, got {{run.exit_code}}."'
        return [*_command_lines(step), f"assert run.exit_code == {expected.value}, {message}"]
    value = step.value if isinstance(step, ast.Expr | ast.Assign) else None
    if value is None:
        raise ClaimError("the last step gives nothing")
    text = ast.unparse(_Native().visit(value))
    if expected.kind is OutcomeKind.RAISES:
        (name, *_) = expected.names
        message = f'f"Expected {name}, got {{caught.value.type_name}}."'
        return [
            "with pytest.raises(PlayerError) as caught:",
            f"    {text}",
            f'assert "{name}" in player.class_names(caught.value.original), {message}',
        ]
    if expected.kind is not OutcomeKind.VALUE:
        raise ClaimError("this is not a value to compare with")
    message = 'f"Expected {expected!r}, got {got!r}."'
    return [f"got = {text}", f"expected = {_native_words(expected_text)}", f"assert got == expected, {message}"]


def _native_words(text: str) -> str:
    return ast.unparse(_Native().visit(parse_statement(text)))


class _Native(ast.NodeTransformer):
    """Replaces what only the steps of claims contain with what trials use."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Create a stand-in, or wait for an awaitable, in the player's process."""
        self.generic_visit(node)
        name = ast.unparse(node.func)
        if name in STAND_INS:
            return ast.parse(f"player.drive({', '.join([name, *map(ast.unparse, node.args)])})", mode="eval").body
        if name in ERRORS:
            arguments = [f"'{name}'", *map(ast.unparse, node.args)]
            return ast.parse(f"player.drive(error, {', '.join(arguments)})", mode="eval").body
        if name == "asyncio.run":
            return ast.parse(f"player.wait({ast.unparse(node.args[0])})", mode="eval").body
        if name == "json":
            return ast.parse(f"json.loads({ast.unparse(node.args[0])})", mode="eval").body
        return node


async def proven_claims(history: History, boss_id: str) -> list[ClaimResult]:
    """Collect each proven claim once, from the newest attempts; attempts that can't be read are skipped."""
    results: list[ClaimResult] = []
    for row in history.page(AttemptFilter(boss_id, with_classes=True), limit=_MAX_ATTEMPTS):
        try:
            results += history.get(row.id).evidence.claims
        except EvalForgeError:
            continue
        await asyncio.sleep(0)
    return list(distinct_proofs(results))
