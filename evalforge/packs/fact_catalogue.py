"""The catalogue of facts: every name that ``evidence.yaml`` may use, what it measures, and its possible values.

Trials are not listed: a pack names its own groups (``trials.GROUP``); ``trials.all`` and ``trials.load`` always exist.
"""

from dataclasses import dataclass
from enum import Enum

from evalforge.model.evidence import LOAD_GROUP


class FactKind(Enum):
    """The kinds of values that a fact can have."""

    SHARE = "a share from 0 to 1"
    COUNT = "a whole number from 0"
    FLAG = "true or false"


@dataclass(frozen=True)
class KnownFact:
    """A fact in the catalogue; ``description`` says what it measures."""

    name: str
    kind: FactKind
    description: str


_COUNTS = {
    "tests.count": "test functions and methods",
    "tests.asserts": "assertions in the tests",
    "tests.empty": "tests that assert nothing",
    "tests.failure_cases": "tests that exercise a failure: an expected exception, a nonzero exit status",
    "tests.contract": "tests that pass on every program that keeps the contract",
    "tests.inner": "tests of the player's program alone: they need its names, or expect what the contract leaves open",
    "tests.wavering": "tests that pass in one run on the same program and fail in another",
    "tests.wrong_expectations": "tests that fail on every program that keeps the contract",
    "tests.impostors": "wrong programs that the tests were tried on",
    "tests.out_of_time": "how many tests, impostors and faults could not be tried in time, so that they decide nothing",
    "tests.missing_libraries": "1 if the tests need a library that the judge's Python lacks, so that they say nothing",
    "tests.certified": "small faults in the player's program, each shown by a trial to break the contract",
    "code.syntax_errors": "files that Python can't parse",
    "code.hidden": "places that run code which can't be read: text, data, bytes, a compiled library",
    "code.functions": "functions and methods that a trial calls",
    "code.longest_function": "lines of code of the longest function or body outside of functions, a statement on each",
    "code.max_complexity": "cognitive complexity of the most tangled function or body",
    "code.deciding_functions": "functions without input or output whose answer changes what happens; 2 at most",
    "code.line_functions": "functions that print nothing and return a line that the program prints; 2 at most",
    "code.io_mixed": "functions and bodies that do input or output and also compute or decide",
    "code.module_level_statements": "statements that work on import, or below a long main guard",
    "code.shared_state": "names of modules whose state one call leaves to others, which then do otherwise; 2 at most",
    "code.checking_changes": "methods with a loop that raises errors and also changes the object's state",
    "code.duplicate_blocks": "short steps, such as four statements, that are repeated in two functions",
    "code.catch_alls": "places that take even an error that nobody foresaw; 3 at most",
    "code.caught_interrupts": "places that take even Ctrl-C; 3 at most",
    "code.silent_excepts": "handlers without any effect, such as a mere pass, or suppress where a value is made",
    "code.specific_excepts": "handlers with a type that catch an error in a trial",
    "code.reported_failures": "runs in trials that failed, and said so on standard error or in a file; 2 at most",
    "code.exit_calls": "calls that end the program, outside main and its like",
    "code.eval_calls": "calls of eval, exec and the like",
}
_SHARES = {
    "tests.passed": "share of the player's own tests that pass, of those that can run here; unmeasured without any",
    "tests.unmasked": "share of the boss's impostors, wrong in one place each, that the player's tests catch",
    "tests.mutation_score": "share of small faults seeded into the code that the player's tests catch",
    "tests.noticed": "share of certified small faults that the tests catch, where impostors say too little",
    "code.longest_share": "share of all lines in functions that the longest one holds",
    "code.docstring_share": "share of public functions and classes in use that have a docstring",
}
_FLAGS = {
    "tests.vacuous": "the tests pass on a program that answers nothing",
    "code.main_guard": "the program starts behind if __name__ == '__main__'",
}
CATALOGUE: dict[str, KnownFact] = {
    name: KnownFact(name, kind, description)
    for kind, table in ((FactKind.COUNT, _COUNTS), (FactKind.SHARE, _SHARES), (FactKind.FLAG, _FLAGS))
    for name, description in table.items()
}
GONE_FACTS = {
    "tests.files": "tests.count",
    "tests.mutants": "tests.certified",
    "tests.timeouts": "",
    "code.files": "code.functions",
    "code.lines": "code.longest_function",
    "code.longest_file": "code.longest_function",
    "code.modules": "code.functions",
    "code.classes": "code.functions",
    "code.dataclasses": "",
    "code.max_params": "",
    "code.max_nesting": "code.max_complexity",
    "code.magic_numbers": "",
    "code.prints": "code.line_functions",
    "code.pure_functions": "code.deciding_functions",
    "code.pure_share": "code.deciding_functions",
    "code.composed_prints": "code.line_functions",
    "code.typed_share": "",
    "code.main_function": "code.main_guard",
    "code.argparse": "",
    "code.bare_excepts": "code.catch_alls",
    "code.broad_excepts": "code.catch_alls",
    "code.global_writes": "code.shared_state",
    "code.handed_changes": "",
    "code.logging_calls": "code.reported_failures",
    "code.stderr_writes": "code.reported_failures",
}
"""Facts that earlier versions measured, each with the one to use in its place; empty where there is none."""
BUILT_IN_GROUPS = frozenset({"all", LOAD_GROUP})
"""The groups of trials that every boss has: all trials together, and the one that checks that the code loads."""


def fact_kind(name: str) -> FactKind:
    """The kind of a fact; groups of trials are shares.

    Raises:
        KeyError: The catalogue has no such fact.
    """
    return FactKind.SHARE if name.startswith("trials.") else CATALOGUE[name].kind
