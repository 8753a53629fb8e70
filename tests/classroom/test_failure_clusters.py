"""Who fails alike stands together, under a title that says in what."""

import pytest

from evalforge.classroom.failure_clusters import FailureSignature, cluster_failures, failure_signature
from evalforge.model.evidence import Evidence, TrialOutcome
from evalforge.packs.pack import BossPack, load_pack
from tests import factories
from tests.conftest import REPOSITORY

GROUPS = {"one_blow": 3, "rhythm": 4, "names": 4, "unreadable": 6, "senseless": 6}


@pytest.fixture(scope="module")
def pack() -> BossPack:
    return load_pack(REPOSITORY / "bosses/training-dummy")


def trouble(pack: BossPack, row_id: str, **failing: int) -> FailureSignature:
    """A hand-in that fails the first so many trials of some groups, and is otherwise without fault."""
    trials = tuple(
        factories.trial(
            group, TrialOutcome.FAILED if n < failing.get(group, 0) else TrialOutcome.PASSED, f"{group} {n}"
        )
        for group, count in GROUPS.items()
        for n in range(count)
    )
    shares = {f"trials__{group}": 1 - failing.get(group, 0) / count for group, count in GROUPS.items()}
    good = {"code__syntax_errors": 0, "code__module_level_statements": 0, "code__main_guard": True}
    more = {"code__pure_functions": 1, "tests__count": failing.get("tests", 1), "tests__empty": 0, "tests__passed": 1.0}
    right = {"tests__wrong_expectations": 0, "tests__vacuous": False}
    return failure_signature(row_id, pack, factories.evidence(trials, **{**shares, **good, **more, **right}))


def test_the_same_failures_make_a_cluster_and_others_do_not(pack: BossPack) -> None:
    clusters, singletons = cluster_failures(
        [
            trouble(pack, "ann", names=2),
            trouble(pack, "bob", senseless=6, names=1),
            trouble(pack, "cy", names=2),
            trouble(pack, "dee"),
            trouble(pack, "eve", names=1),
        ]
    )
    assert [(one.title, one.members) for one in clusters] == [("Fails names (2 of 4)", ("ann", "cy"))]
    assert [(one.title, one.members) for one in singletons] == [
        ("Fails senseless (6 of 6), names (1 of 4)", ("bob",)),
        ("Fails names (1 of 4)", ("eve",)),
    ]
    assert [trial.title for trial in clusters[0].trials] == ["names 0", "names 1"]
    assert "Some names do not come out" in clusters[0].conditions[0].words


def test_a_title_names_groups_in_words(pack: BossPack) -> None:
    _, singletons = cluster_failures([trouble(pack, "ann", one_blow=1)])
    assert singletons[0].title == "Fails one blow (1 of 3)"


def test_whoever_fails_nothing_is_in_no_cluster(pack: BossPack) -> None:
    assert cluster_failures([trouble(pack, "ann"), trouble(pack, "bob")]) == ((), ())


def test_conditions_tell_apart_who_fails_the_same_trials(pack: BossPack) -> None:
    rows = [trouble(pack, f"{n}{t}", names=1, tests=t) for n in range(2) for t in range(2)]
    clusters, _ = cluster_failures(rows)
    assert [one.members for one in clusters] == [("00", "10"), ("01", "11")]
    assert len({one.title for one in clusters}) == 2
    assert "There is no test of your own yet." in clusters[0].title


def test_titles_for_code_that_does_not_load_and_for_form_only(pack: BossPack) -> None:
    load = factories.trial("load", TrialOutcome.FAILED)
    everything = tuple(
        factories.trial(group, TrialOutcome.FAILED, f"{group} {n}") for group in GROUPS for n in range(2)
    )
    broken = [failure_signature(name, pack, Evidence(trials=(load, *everything))) for name in "ab"]
    hopeless = [failure_signature(name, pack, Evidence(trials=everything)) for name in "cd"]
    untested = [trouble(pack, name, tests=0) for name in "ef"]
    clusters, _ = cluster_failures([*broken, *hopeless, *untested])
    assert [one.title for one in clusters] == [
        "Does not load",
        "Fails every trial",
        "All trials pass; There is no test of your own yet.",
    ]
    assert [one.cluster_id for one in clusters] == ["c1", "c2", "c3"]
