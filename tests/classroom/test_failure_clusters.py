"""Who fails alike stands together, under a title that says in what."""

from dataclasses import replace

import pytest

from benchmarks.clusters import adjusted_rand_index
from evalforge.classroom.failure_clusters import FailedTrial, FailureSignature, cluster_failures, failure_signature
from evalforge.model.evidence import Evidence, TrialOutcome
from evalforge.model.reason import Mistake
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
    more = {
        "code__line_functions": 1,
        "code__deciding_functions": 1,
        "tests__count": failing.get("tests", 1),
        "tests__empty": 0,
        "tests__passed": 1.0,
    }
    right = {"tests__wrong_expectations": 0, "tests__vacuous": False}
    return failure_signature(row_id, pack, factories.evidence(trials, **{**shares, **good, **more, **right}))


def test_similar_failures_make_a_cluster_and_others_do_not(pack: BossPack) -> None:
    clusters, singletons = cluster_failures(
        [
            trouble(pack, "ann", names=2),
            trouble(pack, "bob", senseless=6, names=1),
            trouble(pack, "cy", names=2),
            trouble(pack, "dee"),
            trouble(pack, "eve", names=1),
        ]
    )
    names = "Some names are printed differently from how they were given"
    assert [(one.title, one.members) for one in clusters] == [(names, ("ann", "cy", "eve"))]
    assert [(one.title, one.members) for one in singletons] == [
        ("An invalid value is accepted, or its message doesn't name the argument (and 1 more)", ("bob",)),
    ]
    assert 0.5 < clusters[0].similarity < 1
    assert [trial.title for trial in clusters[0].trials] == ["names 0", "names 1"]
    assert "Some names are printed differently" in clusters[0].conditions[0].words


def test_a_title_says_what_most_trials_show(pack: BossPack) -> None:
    _, singletons = cluster_failures([trouble(pack, "ann", one_blow=1)])
    assert singletons[0].title == "A single blow prints the wrong line, or ends with another status than 0"


def test_whoever_fails_nothing_is_in_no_cluster(pack: BossPack) -> None:
    assert cluster_failures([trouble(pack, "ann"), trouble(pack, "bob")]) == ((), ())


def test_who_differs_in_one_condition_is_still_alike(pack: BossPack) -> None:
    rows = [trouble(pack, f"{n}{t}", names=1, tests=t) for n in range(2) for t in range(2)]
    (cluster,), _ = cluster_failures(rows)
    assert set(cluster.members) == {"00", "01", "10", "11"}
    # Half of them lack tests: that is nothing that most of them miss.
    assert [one.criterion_id for one in cluster.conditions] == ["strikes_true"]


def test_clusters_agree_with_groups_made_by_hand(pack: BossPack) -> None:
    by_hand = {
        "range": [{"senseless": 6}, {"senseless": 3}, {"senseless": 2, "tests": 0}, {"senseless": 4}],
        "names": [{"names": 1}, {"names": 3}, {"names": 4, "tests": 0}, {"names": 2}],
        "refusal": [
            {"unreadable": 6, "senseless": 6},
            {"unreadable": 5, "senseless": 6},
            {"unreadable": 6, "senseless": 4, "tests": 0},
        ],
        "lines": [
            {"one_blow": 3, "rhythm": 4, "names": 4},
            {"one_blow": 3, "rhythm": 3, "names": 4},
            {"one_blow": 2, "rhythm": 4, "names": 4, "tests": 0},
        ],
    }
    rows = {f"{group}-{n}": one for group, members in by_hand.items() for n, one in enumerate(members)}
    clusters, singletons = cluster_failures(trouble(pack, name, **failing) for name, failing in rows.items())
    found = {member: one.cluster_id for one in (*clusters, *singletons) for member in one.members}
    exact = [str(failing) for failing in rows.values()]
    truth = [name.rpartition("-")[0] for name in rows]
    agreement = adjusted_rand_index(truth, [found[name] for name in rows])
    assert agreement >= 0.8
    assert agreement > adjusted_rand_index(truth, exact) + 0.5


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
        "All trials pass. There is no test of your own yet",
    ]
    assert [one.cluster_id for one in clusters] == ["c1", "c2", "c3"]


def test_a_program_that_misses_arguments_on_load_is_like_others(pack: BossPack) -> None:
    load = FailedTrial(id="load", group="load", title="The code loads")
    signatures = [
        replace(fails, trials=(load, *fails.trials), trials_per_group={**fails.trials_per_group, "load": 1})
        for fails in (trouble(pack, "ann", names=4), trouble(pack, "bob", senseless=6))
    ]
    clusters, singletons = cluster_failures(signatures)
    assert not clusters
    assert [one.title for one in singletons] == [
        "Some names are printed differently from how they were given",
        "An invalid value is accepted, or its message doesn't name the argument",
    ]


def test_known_mistakes_are_clusters_before_all_others(pack: BossPack) -> None:
    stop = Mistake(
        ids=("stop",), owner="strikes_true", clause="OUTPUT", fault="The stop is left out.", trials=("names 0",)
    )
    rare = Mistake(ids=("rare",), owner="strikes_true", clause="OUTPUT", fault="Odd.", trials=("one_blow 0",))
    rows = [
        replace(trouble(pack, "ann", names=1), mistakes=(stop,)),
        replace(trouble(pack, "bob", names=1, senseless=6), mistakes=(stop,)),
        replace(trouble(pack, "cy", senseless=6, one_blow=1), mistakes=(rare,)),
        trouble(pack, "dee", senseless=6),
    ]
    clusters, singletons = cluster_failures(rows)
    known, alike = clusters
    assert (known.cluster_id, known.title, known.members) == ("m1", "The stop is left out (OUTPUT)", ("ann", "bob"))
    assert [trial.title for trial in known.trials] == ["names 0"]
    # Nothing else is wrong with ann, and a mistake of only one is no cluster.
    assert (alike.cluster_id, set(alike.members)) == ("c1", {"bob", "cy", "dee"})
    assert singletons == ()
