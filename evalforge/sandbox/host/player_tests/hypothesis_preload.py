"""Load Hypothesis into the host when a suite first needs it: that takes a third of a second, which forks then save.

The same submission always gets the same examples, and no more of them than there is time for.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Sequence
from typing import Any

from protocol.player_test_messages import PlayerTestPlan

from .pytest_preload import preload_from

LIBRARY = "hypothesis"
_PROFILE = "evalforge"
_KNOWN_PROFILES = ("default", "ci")
_MAX_EXAMPLES = 25
_OWN_OPTIONS = ("deadline", "database", "suppress_health_check", "derandomize", "verbosity", "backend")
"""Settings that a suite can't choose, so that nothing is stored and runs are repeatable."""


INNER_NAMES = (
    ("hypothesis.configuration", "set_hypothesis_home_dir"),
    ("hypothesis.internal.conjecture.providers", "_get_local_constants"),
    ("hypothesis.internal.conjecture.providers", "_local_constants"),
)
"""Module and name of all unpublished names of Hypothesis that are used. A test reports which ones a version lacks."""


class HypothesisPreload:
    """Loads Hypothesis once, before the first fork that needs it."""

    def __init__(self, folders: Sequence[str], scratch: str) -> None:
        self._folders = list(folders)
        self._scratch = os.path.join(scratch, LIBRARY)
        self._was_tried = False

    def prepare(self, plan: PlayerTestPlan) -> None:
        """Load Hypothesis if this suite uses it."""
        if LIBRARY not in plan.libraries or self._was_tried:
            return
        self._was_tried = True
        preload_from(self._folders, self._load)
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _load(self) -> None:
        from hypothesis import HealthCheck, Phase, settings

        _keep_files_in(self._scratch)
        _read_no_constants()
        phases = (Phase.explicit, Phase.generate)
        options: dict[str, Any] = {
            "deadline": None,
            "database": None,
            "phases": list(phases),
            "suppress_health_check": list(HealthCheck),
            "derandomize": True,
            "max_examples": _MAX_EXAMPLES,
        }
        for name in (*_KNOWN_PROFILES, _PROFILE):
            settings.register_profile(name, **options)
        settings.load_profile(_PROFILE)
        _use_once()
        _bound_settings(settings, phases)


def _keep_files_in(folder: str) -> None:
    """Make Hypothesis store its files in a folder; without this name they go to the working copy, which is restored."""
    with contextlib.suppress(ImportError, AttributeError):
        from hypothesis.configuration import set_hypothesis_home_dir

        set_hypothesis_home_dir(folder)


def _read_no_constants() -> None:
    """Keep Hypothesis from using constants of the program, because a fault in one would change the examples.

    Without these names, examples are as good, but not the same for a program and its impostors.
    """
    with contextlib.suppress(ImportError, AttributeError):
        from hypothesis.internal.conjecture import providers

        names: dict[str, Any] = providers.__dict__
        if "_get_local_constants" in names and "_local_constants" in names:
            no_constants: Any = names["_local_constants"]
            names["_get_local_constants"] = lambda: no_constants


def _bound_settings(settings: Any, phases: tuple[Any, ...]) -> None:
    initialize = settings.__init__

    def bounded(self: object, parent: object = None, **options: Any) -> None:
        for name in _OWN_OPTIONS:
            options.pop(name, None)
        if "phases" in options:
            # A suite that turns off generated examples gets none here either.
            options["phases"] = [phase for phase in phases if phase in options["phases"]]
        if isinstance(options.get("max_examples"), int):
            options["max_examples"] = min(options["max_examples"], _MAX_EXAMPLES)
        initialize(self, parent, **options)

    settings.__init__ = bounded


def _use_once() -> None:
    """Use most strategies once, so that their modules are loaded and their tables filled."""
    from hypothesis import given, stateful
    from hypothesis import strategies as st

    simple = [st.integers(), st.text(), st.floats(), st.booleans(), st.binary(), st.decimals(), st.fractions()]
    dates = [st.dates(), st.datetimes(), st.timedeltas(), st.uuids(), st.characters(), st.from_regex("[a-z]+")]
    strategies = st.tuples(*simple, *dates, st.sampled_from("ab"), st.permutations([1, 2]))

    @given(st.lists(strategies, max_size=2), st.dictionaries(st.text(), st.one_of(st.none(), st.complex_numbers())))
    def use(_rows: object, _table: object) -> None:
        pass

    @given(st.data(), st.from_type(int))
    def fail(data: Any, number: int) -> None:
        data.draw(st.builds(dict, a=st.just(number)))
        raise ValueError

    class Machine(stateful.RuleBasedStateMachine):
        """A state machine that is run once, to preload what state machines need."""

        @stateful.rule(number=st.integers())
        def step(self, number: int) -> None:
            """Do nothing, as the rule of a state machine."""

    use()
    with contextlib.suppress(ValueError):
        fail()
    stateful.run_state_machine_as_test(Machine)
