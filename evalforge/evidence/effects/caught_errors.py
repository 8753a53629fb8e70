"""Where the program takes errors that nobody foresaw: found by raising one in each block that runs."""

from collections.abc import Sequence

from evalforge.evidence.effects.deciding_functions import unmeasured_facts
from evalforge.evidence.effects.replays import USABLE, Block, Observed, Place, Raised, Replays, trials_in_turn
from evalforge.model.evidence import Fact, Finding, TrialResult
from evalforge.sandbox.execution import Execution

CATCH_ALLS, INTERRUPTS = "code.catch_alls", "code.caught_interrupts"
_WORDS = {
    CATCH_ALLS: "takes even an error that nobody foresaw: name the exceptions you expect",
    INTERRUPTS: "takes even Ctrl-C: name the exceptions you expect",
}
_TRIALS_CODE = ("", 0)
"""Stands for code of a trial at the outer end of a stack."""
_MAX_FOUND, _MAX_OBSERVED, _MAX_RAISED = 3, 12, 30


def error_facts(
    names: Sequence[str], replays: Replays, results: Sequence[TrialResult], execution: Execution
) -> tuple[Fact, ...]:
    """The facts of these names; ``results`` are those of all trials."""
    if not names or not replays.blocks:
        return tuple(Fact(name=name, value=0) for name in names)
    observed = _observe(replays, trials_in_turn(results), execution)
    if not any(notes.reached for again in observed for notes in again.notes):
        return unmeasured_facts(names, "No trial could be run again, so nothing is known about what happens to errors.")
    return tuple(_fact(name, replays, observed) for name in names)


def _observe(replays: Replays, trials: Sequence[TrialResult], execution: Execution) -> list[Observed]:
    """The first trials that together reach all blocks that ran but for functions, run again."""
    handlers = [(number, block) for number, block in enumerate(replays.blocks) if not block.is_function]
    wanted = {number for number, block in handlers if execution.ran(block.path, range(block.first, block.last + 1))}
    observed, reached = list[Observed](), set[int]()
    for trial in trials[:_MAX_OBSERVED]:
        again = replays.observe(trial, "blocks")
        new = {number for notes in again.notes for number in notes.reached} - reached if again else set[int]()
        if again and new:
            observed.append(again)
            reached |= new
        if observed and wanted <= reached:
            break
    return observed


def _fact(name: str, replays: Replays, observed: Sequence[Observed]) -> Fact:
    """Where errors are taken, by raising one in the innermost blocks first: on its way up it tries all around them."""
    stacks: dict[int, tuple[Observed, tuple[Place | None, ...]]] = {}
    for again in observed:
        for number, stack in ((number, stack) for notes in again.notes for number, stack in notes.reached.items()):
            stacks.setdefault(number, (again, stack))
    order = sorted(stacks, key=lambda number: (-len(stacks[number][1]), number))
    # A function takes what is raised in it by a block around, which is tried itself, or leaves it to a library or hook.
    untried = {n for n in order if not replays.blocks[n].is_function or None in stacks[n][1]}.union(order[:1])
    places, first_count = dict[Place, None](), replays.count
    while untried and len(places) < _MAX_FOUND and replays.count - first_count < _MAX_RAISED:
        number = next(number for number in order if number in untried)
        again, reached = stacks[number]
        raised = replays.raise_in(again.trial, number, is_interrupt=name == INTERRUPTS)
        stack = next((notes.caught for notes in raised.notes if notes.caught is not None), ())
        untried -= {number, *_numbers_around(replays.blocks, stack)}
        if _is_taken(raised, again, stack):
            # A process that ended at once wrote no notes: then the innermost handler took it.
            around = [next(filter(None, stack), None)] if stack else reached
            blocks = [replays.blocks[n] for n in _numbers_around(replays.blocks, around)]
            if name == INTERRUPTS or not _call_out(blocks, replays.observe(again.trial, "calls")):
                places[_place_of(blocks) or next(place for place in (*around, *reached) if place and place[0])] = None
    findings = [Finding(message=_WORDS[name], path=path, line=line) for path, line in sorted(places)]
    return Fact(name=name, value=len(findings), findings=tuple(findings))


def _is_taken(raised: Raised, plain: Observed, stack: Sequence[Place | None]) -> bool:
    """Whether a raised error doesn't come out: no answer names it, and no process shows its traceback and fails."""
    if raised.outcome.ended not in USABLE or raised.is_named or _TRIALS_CODE in stack[:1]:
        return False
    has_failed = any(status not in (0, None) for status in raised.outcome.statuses)
    if raised.is_printed and (has_failed or None in stack[:1]):
        return False
    return bool(stack) or raised.outcome != plain.outcome


def _call_out(blocks: Sequence[Block], observed: Observed | None) -> bool:
    """Whether one of these blocks calls a trial's own functions, which may raise anything, so that it may take that."""
    left = [place for notes in observed.notes for place in notes.left] if observed else []
    return any(block.holds(place) for block in blocks for place in left)


def _numbers_around(blocks: Sequence[Block], stack: Sequence[Place | None]) -> list[int]:
    """The numbers of the blocks that hold a line of a stack."""
    return [number for number, block in enumerate(blocks) if any(place and block.holds(place) for place in stack)]


def _place_of(blocks: Sequence[Block]) -> Place | None:
    """Where to look for what takes an error: at the handler of the innermost of these blocks, if one has any."""
    handled = [block for block in blocks if block.line > block.last]
    innermost = max(handled or blocks, key=lambda block: block.first, default=None)
    return innermost and (innermost.path, innermost.line)
