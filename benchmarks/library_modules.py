"""What the static facts say of library modules that engineers hold up as models, beside what two readers said.

The readers answered four questions of each module and gave it a level: 2 well kept, 1 orderly. They drew "too long" at
about 50 lines or a complexity of 30, so that is asked here; bosses ask more of small exercises. Modules are read where
they are installed; one that isn't, or in a version with other code, says nothing about the facts.
"""

import importlib.metadata
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Options
from evalforge.evidence.static import read_code
from evalforge.model.submission import Submission

_LONGEST_FUNCTION = 50
_MAX_COMPLEXITY = 30


@dataclass(frozen=True)
class Module:
    """A module as both readers saw it.

    Attributes:
        name: Its dotted name.
        version: The version that was read, of its distribution or of Python.
        levels: The level of each reader, or the one that both gave.
        answers: Questions that both answered with yes.
    """

    name: str
    version: str
    levels: frozenset[int]
    answers: frozenset[str]


def _module(name: str, version: str, levels: str, *answers: str) -> Module:
    return Module(name, version, frozenset(map(int, levels)), frozenset(answers))


MODULES = (
    _module("heapq", "3.11", "1", "too long", "repeats"),
    _module("fractions", "3.11", "1", "too long", "repeats"),
    _module("shlex", "3.11", "1", "too long", "repeats"),
    _module("queue", "3.11", "2"),
    _module("json.decoder", "3.11", "1", "too long", "repeats"),
    _module("csv", "3.11", "1", "too long", "repeats"),
    _module("zipapp", "3.11", "12"),
    _module("secrets", "3.11", "2"),
    _module("asyncio.queues", "3.11", "1", "repeats"),
    _module("concurrent.futures.thread", "3.11", "2"),
    _module("cachetools.keys", "8.0", "1", "repeats"),
    _module("parsy", "2.2", "2"),
    _module("tenacity.wait", "9.2", "2"),
    _module("limits.strategies", "5.8", "2"),
    _module("httpx._urls", "0.28", "2"),
    _module("httpx._utils", "0.28", "1"),
    _module("click.utils", "8.5", "2"),
    _module("attr.filters", "26.1", "2"),
    _module("pyrsistent._pvector", "0.20", "2"),
    _module("anyio._core._synchronization", "4.16", "2"),
)
QUESTIONS = ("too long", "repeats", "effect on import")


def installed(module: Module) -> Path | None:
    """The file of a module; None if it isn't here in the version that was read."""
    package = module.name.partition(".")[0]
    if package in sys.stdlib_module_names:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
    else:
        distributions = importlib.metadata.packages_distributions().get(package, [])
        version = importlib.metadata.version(distributions[0]) if distributions else ""
    if version != module.version and not version.startswith(f"{module.version}."):
        return None
    try:
        spec = importlib.util.find_spec(module.name)
    except ImportError:
        return None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


def answers(path: Path) -> frozenset[str]:
    """The questions that the facts answer with yes."""
    facts = {fact.name: fact.value or 0 for fact in read_code(Submission.of({path.name: path.read_text("utf-8")}))}
    is_long = facts["code.longest_function"] > _LONGEST_FUNCTION or facts["code.max_complexity"] > _MAX_COMPLEXITY
    yes = {
        "too long": is_long,
        "repeats": facts["code.duplicate_blocks"] > 0,
        "effect on import": facts["code.module_level_statements"] > 0,
    }
    return frozenset(question for question in QUESTIONS if yes[question])


def main(options: Options) -> None:
    """Print on how many modules facts and readers agree, and on which they don't."""
    modules = MODULES[: options.size(None, 2)]
    read = {module: answers(path) for module in modules if (path := installed(module)) is not None}
    print(f"\nlibrary modules beside two readers: {len(read)} of {len(modules)} are installed as they were read")
    right = sum((1 if found else 2) in module.levels for module, found in read.items())
    print(f"  level: agrees with a reader on {right}")
    for question in QUESTIONS:
        alarms = [module.name for module, found in read.items() if question in found - module.answers]
        missed = [module.name for module, found in read.items() if question in module.answers - found]
        print(f"  {question:<17} false alarms: {', '.join(alarms) or 'none'}; missed: {', '.join(missed) or 'none'}")
