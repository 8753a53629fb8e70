"""The marks of the trials: one for each where they fit, else one for each group with how many failed."""

import pytest

from evalforge.app.fight.difference import Difference
from evalforge.app.fight.stage.trial_log import TrialMarks
from evalforge.model.evidence import LOAD_GROUP, TrialOutcome
from evalforge.model.scoring import score
from tests import factories
from tests.app.harness import WidgetApp, lines

GROUPS = {"one": 3, "two": 20, "three": 10}


async def drawn(width: int) -> str:
    """The line after half of the trials."""
    app = WidgetApp(TrialMarks)
    async with app.run_test(size=(width, 3)) as pilot:
        marks = app.query_one(TrialMarks)
        marks.plan(GROUPS)
        marks.add_outcome(LOAD_GROUP, TrialOutcome.PASSED)
        for group, outcomes in {"one": "ppp", "two": "ppfff"}.items():
            for outcome in outcomes:
                marks.add_outcome(group, TrialOutcome.PASSED if outcome == "p" else TrialOutcome.FAILED)
        await pilot.pause()
        return "".join(segment.text for segment in lines(app)[0]).rstrip()


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (80, f"✓✓✓ ✓✓✗✗✗{'·' * 15} {'·' * 10} 5/33 trials"),
        (38, "✓ ✗3 ·  5/33 trials"),
        (16, " 5/33 trials"),
    ],
)
async def test_no_mark_stands_for_two_trials_of_one_group(width, line):
    assert await drawn(width) == line


def test_whether_the_code_loads_is_not_counted_as_a_trial():
    rubric = factories.rubric(2)
    before = factories.evidence((factories.trial(LOAD_GROUP), factories.trial("edges")))
    difference = Difference(rubric, score("b", rubric, factories.opinion(1)), before)
    for trial in before.trials:
        difference.add_trial(trial)
    assert difference.trial_words == "trials: 1 as before"
