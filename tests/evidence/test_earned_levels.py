"""Levels where the code hides what it does: none for form, and the reason said once."""

from evalforge.evidence.earned_levels import earned_level
from evalforge.model.evidence import Evidence, Fact, Finding
from evalforge.model.level_rules import LevelRules
from tests import factories

RULES = LevelRules.model_validate(
    {
        "c0": [
            {
                "level": 1,
                "earned": "It is short.",
                "requires": [
                    {"fact": "code.functions", "check": ">= 1", "otherwise": "It is one body.", "improve": "Cut it"},
                    {
                        "fact": "code.max_complexity",
                        "check": "<= 9",
                        "otherwise": "It is tangled.",
                        "improve": "Flatten",
                    },
                ],
            }
        ]
    }
)
HIDDEN = (Finding(message="turns text into code and runs it", path="app.py", line=3),)


def earned(**values: int | None):
    facts = tuple(
        Fact(name=f"code.{name}", value=value, findings=HIDDEN if value is None else ())
        for name, value in values.items()
    )
    return earned_level(factories.rubric(1, threshold=1).criteria[0], RULES, Evidence(facts=facts))


def test_code_that_hides_earns_nothing_and_reads_why_once():
    found = earned(functions=None, max_complexity=None)
    assert found.level.score == 0
    assert [(failure.otherwise, failure.findings) for failure in found.failures] == [
        ("Some of the work is done in code that can't be read.", HIDDEN)
    ]
    assert "app.py:3" in found.failures[0].improve


def test_other_failures_are_said_one_by_one():
    assert [failure.otherwise for failure in earned(functions=0, max_complexity=20).failures] == [
        "It is one body.",
        "It is tangled.",
    ]


def test_a_name_in_words_is_the_one_its_finding_begins_with():
    message = "`main` decides or computes and also uses open (line 21)"
    fact = Fact(name="code.io_mixed", value=1, findings=(Finding(message=message, path="app.py", line=16),))
    condition = {"fact": "code.io_mixed", "check": "== 0", "otherwise": "Mixed.", "improve": "Split {name} at {where}"}
    rules = LevelRules.model_validate({"c0": [{"level": 1, "requires": [condition]}]})
    (failure,) = earned_level(factories.rubric(1, threshold=1).criteria[0], rules, Evidence(facts=(fact,))).failures
    assert failure.improve == "Split `main` at app.py:16"


def test_tests_that_assert_explain_no_failure():
    """A condition that doesn't apply without assertions fails for another reason where there are some."""
    condition = {
        "any": [{"fact": "tests.passed", "check": ">= 0.5"}, {"fact": "tests.asserts", "check": "== 0"}],
        "otherwise": "{value} of your tests pass.",
    }
    rules = LevelRules.model_validate({"c0": [{"level": 1, "requires": [condition]}]})
    failed = Finding(message="`test_sum` fails.", path="test_app.py", line=7)
    assertion = Finding(message="`test_sum` asserts something here", path="test_app.py", line=5)
    facts = (
        Fact(name="tests.passed", value=0.0, findings=(failed,)),
        Fact(name="tests.asserts", value=1, findings=(assertion,)),
    )
    level = earned_level(factories.rubric(1, threshold=1).criteria[0], rules, Evidence(facts=facts))
    assert [failure.findings for failure in level.failures] == [(failed,)]
