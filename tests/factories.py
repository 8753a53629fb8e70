"""Small, whole objects for tests."""

from evalforge.model.events import Event, Judged, Started
from evalforge.model.evidence import Evidence, Fact, Finding, ImpostorFate, ImpostorResult, TrialOutcome, TrialResult
from evalforge.model.result import JudgeInfo, Judgement, Opinion
from evalforge.model.rubric import BossRubric
from evalforge.model.scoring import score
from evalforge.model.submission import Submission

FORGE = JudgeInfo(name="forge", version="1")


def rubric(*levels: int, threshold: float = 1) -> BossRubric:
    """A rubric with one criterion ``cN`` for each number, its highest level."""
    return BossRubric.model_validate(
        {
            "rubric_id": "r",
            "overall": {"pass_threshold": threshold},
            "criteria": [
                {
                    "id": f"c{index}",
                    "label": f"Criterion {index}",
                    "levels": [
                        {"score": s, "label": f"level {s}", "description": f"what {s} means"} for s in range(top + 1)
                    ],
                }
                for index, top in enumerate(levels)
            ],
        }
    )


def opinion(*scores: float) -> Opinion:
    """An opinion on ``rubric``'s criteria."""
    return Opinion(
        judgements=tuple(
            Judgement(criterion_id=f"c{index}", score=value, comment=f"because {value}")
            for index, value in enumerate(scores)
        ),
        summary="One. Two.",
        improvements=("Do this.", "Do that."),
    )


def submission(**files: str) -> Submission:
    """A submission; ``a__b`` in a name stands for ``a/b``, and ``.py`` is added."""
    return Submission.of({f"{name.replace('__', '/')}.py": content for name, content in files.items()})


def trial(
    group: str, outcome: TrialOutcome = TrialOutcome.PASSED, title: str = "It holds", **more: object
) -> TrialResult:
    """One ended trial."""
    return TrialResult.model_validate({"id": title, "title": title, "group": group, "outcome": outcome, **more})


def evidence(trials: tuple[TrialResult, ...] = (), **facts: float | str | bool | None) -> Evidence:
    """Evidence with the given facts; ``tests__count`` stands for ``tests.count``."""
    return Evidence(
        facts=tuple(Fact(name=name.replace("__", "."), value=value) for name, value in facts.items()),
        trials=trials,
    )


def impostor(name: str, fate: ImpostorFate = ImpostorFate.UNMASKED, **more: object) -> ImpostorResult:
    """An impostor that the tests met; its riddle has its name."""
    words = {"owner": "c0", "clause": "Bad input", "riddle": f"The riddle of {name}."}
    return ImpostorResult.model_validate({"id": name, "fate": fate, **words, **more})


def met(*impostors: ImpostorResult, wrong: tuple[tuple[str, int], ...] = ()) -> Evidence:
    """The evidence of tests that met impostors; ``wrong`` are the places of wrong expectations."""
    unmasked = sum(one.fate is ImpostorFate.UNMASKED for one in impostors)
    fails = "fails on a program that keeps the contract."
    return Evidence(
        facts=(
            Fact(name="tests.contract", value=4),
            fact("tests.wrong_expectations", len(wrong), *((*place, f"`test_{place[1]}` {fails}") for place in wrong)),
            Fact(name="tests.unmasked", value=unmasked / len(impostors) if impostors else None),
        ),
        impostors=impostors,
    )


def fact(name: str, value: float | str | bool | None, *findings: tuple[str, int, str]) -> Fact:
    """A fact with findings given as (path, line, message)."""
    return Fact(
        name=name,
        value=value,
        findings=tuple(Finding(path=path, line=line, message=message) for path, line, message in findings),
    )


def events(*scores: float, threshold: float = 1) -> tuple[Event, ...]:
    """The shortest stream of a judged fight."""
    made = opinion(*scores)
    whole = rubric(*(2 for _ in scores), threshold=threshold)
    started = Started(boss_id="straw", title="Straw", judge=FORGE, isolation="full")
    return started, Judged(result=score("straw", whole, made), judgements=made.judgements)
