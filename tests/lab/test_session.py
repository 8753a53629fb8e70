"""Evidence is measured once and kept; versions are saved whole; judges stand side by side."""

import shutil
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from evalforge.calibration.figures import criterion_figures, overall_figures
from evalforge.fight import FightOptions, Forge
from evalforge.judges.base import Case, judged_event
from evalforge.judges.forge import ForgeJudge, forge_opinion, rescore
from evalforge.lab.calibration_runs import (
    CalibrationRunStore,
    forge_run,
    level_differences,
    rate_run,
)
from evalforge.lab.draft import DraftPart, LabDraft
from evalforge.lab.draft_check import check_draft
from evalforge.lab.judge_pair import judge_submission, pair_criteria, parse_judge_pair
from evalforge.lab.lab_session import LabSession
from evalforge.lab.pack_versions import save_version, version_destination, version_number
from evalforge.lab.submissions import LabSubmission, exemplar_sources
from evalforge.llm.model_options import ModelOptions
from evalforge.measurements import Measurements
from evalforge.model.errors import UsageError
from evalforge.model.events import Event, Judged
from evalforge.packs.locations import boss_folders, user_bosses
from evalforge.packs.pack import BossPack, load_pack
from evalforge.packs.summary import find_bosses
from tests import factories
from tests.factories import evidence
from tests.lab.conftest import EVIDENCE, RUBRIC

pytestmark = pytest.mark.usefixtures("warm_engine")

LOWER = RUBRIC.replace("pass_threshold: 3", "pass_threshold: 2")
TRUSTED = FightOptions(trusted=True, save=False)


async def on_bench(bench: LabSession, forge: Forge) -> None:
    async def measurer() -> Forge:
        return forge

    bench.add_exemplars()
    await bench.measure(measurer, TRUSTED, lambda _: None)


# Scoring again is judging from scratch, with the real engine


async def test_rescoring_stored_evidence_equals_a_real_fight(
    bosses: Path, tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved, changed = tmp_path / "saved" / "training-dummy", tmp_path / "training-dummy"
    shutil.copytree(bosses / "training-dummy", saved)
    for path in (saved / "exemplars").iterdir():
        if path.name not in ("weak", "solid"):
            shutil.rmtree(path)
    shutil.copytree(saved, changed)
    rules = (changed / "evidence.yaml").read_text("utf-8")
    (changed / "evidence.yaml").write_text(rules.replace("== 1.0", ">= 0.5").replace(">= 1", ">= 3"), "utf-8")
    pack, after = load_pack(saved), load_pack(changed)
    async with Forge() as forge:
        bench = LabSession(state, pack)
        await on_bench(bench, forge)
        assert not bench.failures
        bench.close()
        again = LabSession(state, pack)
        with monkeypatch.context() as patch:
            patch.setattr(forge.engine, "gather", None)  # nothing is run again
            await on_bench(again, forge)
        assert len(again.submissions) == 2
        for name, one in again.submissions.items():
            fought = [event async for event in forge.fight(after, after.path / "exemplars" / name, TRUSTED)]
            scored = rescore(after, one.submission, one.evidence)
            assert isinstance(fought[-1], Judged)
            assert scored.result == fought[-1].result, name
            assert scored.judgements == fought[-1].judgements
        again.close()


def test_evidence_is_reused_only_for_the_same_code_and_trials(packs: Path, state: Path) -> None:
    known = evidence(trials__all=1.0)
    kept = Measurements(load_pack(packs), state=state)
    kept.store("code", known)
    assert kept.find_evidence("code") == known
    met = factories.met(factories.impostor("a"), wrong=(("test_a.py", 3),))
    kept.store("tests", met)
    assert Measurements(load_pack(packs), state=state).find_evidence("tests") == met
    assert kept.find_evidence("other code") is None
    assert Measurements(load_pack(packs), "tests alone", state=state).find_evidence("code") is None
    (packs / "trials" / "data.json").write_text("{}", "utf-8")
    assert Measurements(load_pack(packs), state=state).find_evidence("code") is None


@pytest.mark.parametrize("changed", ["impostors/impostors.yaml", "exemplars/flawless/dummy.py"])
def test_evidence_lapses_when_a_program_changes_that_tests_meet(
    bosses: Path, tmp_path: Path, state: Path, changed: str
) -> None:
    folder = tmp_path / "training-dummy"
    shutil.copytree(bosses / "training-dummy", folder)
    for meets_programs in (True, False):
        Measurements(load_pack(folder), state=state, meets_programs=meets_programs).store("code", evidence())
    with (folder / changed).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert Measurements(load_pack(folder), state=state).find_evidence("code") is None
    assert Measurements(load_pack(folder), state=state, meets_programs=False).find_evidence("code") == evidence()


@pytest.mark.parametrize(
    ("old", "new", "is_kept"),
    [
        ('deciding_functions, check: ">= 1"', 'deciding_functions, check: ">= 2"', False),
        ("code.deciding_functions", "code.line_functions", False),
        ('longest_function, check: "<= 40"', 'longest_function, check: "<= 30"', True),
    ],
)
def test_evidence_is_kept_if_new_rules_need_no_other(packs: Path, old: str, new: str, is_kept: bool) -> None:
    before = load_pack(packs).trials_hash
    (packs / "evidence.yaml").write_text(EVIDENCE.replace(old, new), "utf-8")
    assert (load_pack(packs).trials_hash == before) is is_kept


@pytest.mark.parametrize("data", [b"", b"nonsense", b"x\x9c"])
def test_a_broken_file_only_costs_time(packs: Path, state: Path, data: bytes) -> None:
    kept = Measurements(load_pack(packs), state=state)
    kept.store("code", evidence())
    (file,) = (state / "lab" / "evidence").iterdir()
    file.write_bytes(data)
    assert kept.find_evidence("code") is None


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(packs: Path, state: Path) -> None:
    state.write_text("a file", "utf-8")
    kept = Measurements(load_pack(packs), state=state)
    kept.store("code", evidence())
    assert kept.find_evidence("code") is None


# Versions


def test_a_version_goes_into_ones_own_pack_beside_old_texts(packs: Path, state: Path) -> None:
    before = load_pack(packs)
    with LabDraft(state, before) as draft:
        draft.write(DraftPart.RUBRIC, LOWER)
        saved = save_version(draft, state)
        assert not draft.is_changed
    assert (saved.pack, saved.number, version_number(packs)) == (packs, 2, 2)
    after = load_pack(packs)
    assert after.rubric.overall.pass_threshold == 2
    assert (packs / "versions" / "0001" / "rubric.yaml").read_text("utf-8") == RUBRIC
    assert (packs / "versions" / "0001" / "evidence.yaml").read_text("utf-8") == EVIDENCE


def test_a_version_shadows_a_shipped_pack_and_leaves_it_alone(
    bosses: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVALFORGE_HOME", str(state))
    shipped = load_pack(bosses / "training-dummy")
    untouched = {path: path.read_bytes() for path in sorted(shipped.path.rglob("*")) if path.is_file()}
    own = user_bosses(state) / "training-dummy"
    assert version_destination(shipped, state) == own
    with LabDraft(state, shipped) as draft:
        text = draft.text(DraftPart.RUBRIC)
        draft.write(DraftPart.RUBRIC, text + "\n# mine\n")
        saved = save_version(draft, state)
    assert (saved.pack, saved.number) == (own, 2)
    assert (own / "rubric.yaml").read_text("utf-8").endswith("# mine\n")
    assert load_pack(own).exemplars
    assert {path: path.read_bytes() for path in untouched} == untouched
    found = {boss.slug: boss.path for boss in find_bosses(boss_folders())}
    assert found["training-dummy"] == own
    assert version_number(own) == 2
    with LabDraft(state, shipped) as draft:
        draft.write(DraftPart.RUBRIC, text + "\n# again\n")
        with pytest.raises(UsageError, match="of your own"):
            save_version(draft, state)


def test_a_draft_that_cannot_be_used_is_not_saved_and_stays(packs: Path, state: Path) -> None:
    with LabDraft(state, load_pack(packs)) as draft:
        draft.write(DraftPart.EVIDENCE, "works: [")
        with pytest.raises(UsageError, match=r"evidence\.yaml:2: not valid YAML"):
            save_version(draft, state)
        assert draft.text(DraftPart.EVIDENCE) == "works: ["
    assert not (packs / "versions").exists()


def test_a_failed_replacement_leaves_draft_and_pack(packs: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (packs / "versions").write_text("in the way", "utf-8")
    with LabDraft(state, load_pack(packs)) as draft:
        draft.write(DraftPart.RUBRIC, LOWER)
        with pytest.raises(UsageError, match="The draft is still there"):
            save_version(draft, state)
        assert draft.text(DraftPart.RUBRIC) == LOWER
    assert (packs / "rubric.yaml").read_text("utf-8") == RUBRIC


# Judges


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("forge", "two judges, not 1"),
        ("forge,forge,forge", "two judges, not 3"),
        ("forge,oracle", "no judge called 'oracle'"),
        ("forge:x,claude", "no judge called 'forge:x'"),
    ],
)
def test_judges_that_are_not_two_or_not_known_are_refused(told: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        parse_judge_pair(told)


def test_contenders_name_models_and_rubrics() -> None:
    one, other = parse_judge_pair("panel:small+large, after")
    assert (one.judge, one.models, one.by_draft) == ("panel", ("small", "large"), False)
    assert (other.judge, other.by_draft, other.is_free) == ("forge", True, True)


def exhibit(bench: LabSession) -> LabSubmission:
    (source,) = exemplar_sources(bench.pack)
    facts = evidence(trials__all=1.0, trials__edges=0.7, code__longest_function=30, code__deciding_functions=0)
    return replace(source, evidence=facts)


async def ask(name: str, models: ModelOptions, case: Case) -> AsyncGenerator[Event]:
    assert name == "forge"
    yield judged_event(case, forge_opinion(case))


def drafted(bench: LabSession, part: DraftPart, text: str) -> tuple[BossPack, BossPack]:
    bench.draft.write(part, text)
    after = check_draft(bench.draft).pack
    assert after is not None
    return bench.pack, after


async def test_before_and_after_differ_only_where_the_change_applies(packs: Path, state: Path) -> None:
    bench = LabSession(state, load_pack(packs))
    both = drafted(bench, DraftPart.EVIDENCE, EVIDENCE.replace('"<= 40"', '"<= 20"'))
    shown = exhibit(bench)
    sides = [await judge_submission(one, shown, both, ModelOptions(), ask) for one in parse_judge_pair("before,after")]
    found = pair_criteria(both, (sides[0], sides[1]))
    assert [(one.criterion.id, one.differs) for one in found] == [("works", False), ("shape", True)]
    claude = await judge_submission(parse_judge_pair("claude,forge")[0], shown, both, ModelOptions(), ask)
    assert claude.judged is None
    assert "ANTHROPIC_API_KEY" in claude.failure
    assert not any(one.differs for one in pair_criteria(both, (claude, sides[0])))
    bench.close()


def test_rounds_are_compared_with_gold_and_each_other(packs: Path, state: Path) -> None:
    bench = LabSession(state, load_pack(packs))
    before, after = drafted(bench, DraftPart.EVIDENCE, EVIDENCE.replace('"<= 40"', '"<= 20"'))
    exhibits = [exhibit(bench)]
    info = ForgeJudge().info
    one, other = forge_run(before, exhibits, info), forge_run(after, exhibits, info)
    for reference, expected in ((None, ("works", 2, 1)), (other, ("shape", 0, 1))):
        (miss,) = level_differences(exhibits, one, reference)
        assert (miss.criterion_id, miss.expected, miss.judged) == expected
    ratings = rate_run(before, exhibits, one)
    assert overall_figures(ratings).exact.value == 0.5
    works = criterion_figures(ratings, "golem", before.rubric.criterion("works"))
    assert works.confusion == ((0, 0, 0), (0, 0, 0), (0, 1, 0))
    assert overall_figures(rate_run(before, exhibits, other, reference=one)).exact.value == 0.5
    book = CalibrationRunStore(state, "golem")
    book.save(one)
    book.save(other)
    (state / "lab" / "rounds" / "golem" / "broken.json").write_text("{", "utf-8")
    assert book.load_all() == [other, one]
    bench.close()
