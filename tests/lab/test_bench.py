"""Evidence is measured once and kept; versions are saved whole; judges stand side by side."""

import shutil
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from evalforge.fight import FightOptions, Forge
from evalforge.judges.base import Case, conclude
from evalforge.judges.forge import ForgeJudge, opine
from evalforge.judges.options import ModelOptions
from evalforge.lab.bench import LabBench
from evalforge.lab.cache import EvidenceCache
from evalforge.lab.check import check
from evalforge.lab.contenders import contenders, judge_side, pairings
from evalforge.lab.draft import LabDraft, Part
from evalforge.lab.exhibits import lineage
from evalforge.lab.instrument import trials_hash
from evalforge.lab.rescore import rescore
from evalforge.lab.rounds import RoundBook, differences, forge_round, misses, of_all, of_criterion, rate
from evalforge.lab.versions import destination, save_version, version_of
from evalforge.library.pack import BossPack, load_pack
from evalforge.library.places import boss_folders, own_bosses
from evalforge.library.summary import find_bosses
from evalforge.model.errors import UsageError
from evalforge.model.events import Event, Judged
from tests.factories import evidence
from tests.lab.conftest import EVIDENCE, RUBRIC

LOWER = RUBRIC.replace("pass_threshold: 3", "pass_threshold: 2")
TRUSTED = FightOptions(trusted=True, save=False)


async def on_bench(bench: LabBench, forge: Forge) -> None:
    async def measurer() -> Forge:
        return forge

    bench.take_exemplars()
    await bench.measure(measurer, TRUSTED, lambda _: None)


# Scoring again is judging from scratch, with the real engine


async def test_a_stored_measurement_scored_by_a_changed_pack_is_what_a_real_fight_gives(
    bosses: Path, tmp_path: Path, state: Path
) -> None:
    saved, changed = tmp_path / "saved" / "training-dummy", tmp_path / "training-dummy"
    shutil.copytree(bosses / "training-dummy", saved)
    for path in (saved / "exemplars").iterdir():
        if path.name not in ("weak", "flawless"):
            shutil.rmtree(path)
    shutil.copytree(saved, changed)
    rules = (changed / "evidence.yaml").read_text("utf-8")
    (changed / "evidence.yaml").write_text(rules.replace("== 1.0", ">= 0.5").replace(">= 1", ">= 3"), "utf-8")
    pack, after = load_pack(saved), load_pack(changed)
    async with Forge() as forge:
        bench = LabBench(state, pack)
        await on_bench(bench, forge)
        assert not bench.failed
        bench.close()
        again = LabBench(state, pack)

        async def nobody() -> Any:
            raise AssertionError("nothing may be run again")

        again.take_exemplars()
        await again.measure(nobody, TRUSTED, lambda _: None)
        assert len(again.exhibits) == 2
        for name, one in again.exhibits.items():
            fought = [event async for event in forge.fight(after, after.path / "exemplars" / name, TRUSTED)]
            scored = rescore(after, one.submission, one.evidence)
            assert isinstance(fought[-1], Judged)
            assert scored.result == fought[-1].result, name
            assert scored.judgements == fought[-1].judgements
        again.close()


def test_evidence_is_found_again_only_for_the_same_code_and_trials(packs: Path, state: Path) -> None:
    known = evidence(trials__all=1.0)
    trials = trials_hash(load_pack(packs))
    EvidenceCache(state, trials).put("code", known)
    assert EvidenceCache(state, trials).get("code") == known
    assert EvidenceCache(state, trials).get("other code") is None
    (packs / "trials" / "data.json").write_text("{}", "utf-8")
    assert EvidenceCache(state, trials_hash(load_pack(packs))).get("code") is None


@pytest.mark.parametrize("data", [b"", b"nonsense", b"x\x9c"])
def test_a_broken_cache_only_costs_time(state: Path, data: bytes) -> None:
    cache = EvidenceCache(state, "t")
    cache.put("code", evidence())
    (file,) = (state / "lab" / "evidence").iterdir()
    file.write_bytes(data)
    assert cache.get("code") is None


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(state: Path) -> None:
    state.write_text("a file", "utf-8")
    EvidenceCache(state, "t").put("code", evidence())
    assert EvidenceCache(state, "t").get("code") is None


# Versions


def test_a_version_goes_into_ones_own_pack_and_the_old_texts_are_kept(packs: Path, state: Path) -> None:
    before = load_pack(packs)
    with LabDraft(state, before) as draft:
        draft.write(Part.RUBRIC, LOWER)
        saved = save_version(draft, state)
        assert not draft.is_changed
    assert (saved.pack, saved.number, version_of(packs)) == (packs, 2, 2)
    after = load_pack(packs)
    assert after.rubric.overall.pass_threshold == 2
    assert (packs / "versions" / "0001" / "rubric.yaml").read_text("utf-8") == RUBRIC
    assert (packs / "versions" / "0001" / "evidence.yaml").read_text("utf-8") == EVIDENCE
    assert lineage(after) == dict.fromkeys((before.rubric_hash, after.rubric_hash), trials_hash(after))


def test_a_shipped_pack_is_left_alone_and_the_version_shadows_it(
    bosses: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVALFORGE_HOME", str(state))
    shipped = load_pack(bosses / "training-dummy")
    untouched = {path: path.read_bytes() for path in sorted(shipped.path.rglob("*")) if path.is_file()}
    own = own_bosses(state) / "training-dummy"
    assert destination(shipped, state) == own
    with LabDraft(state, shipped) as draft:
        text = draft.text(Part.RUBRIC)
        draft.write(Part.RUBRIC, text + "\n# mine\n")
        saved = save_version(draft, state)
    assert (saved.pack, saved.number) == (own, 2)
    assert (own / "rubric.yaml").read_text("utf-8").endswith("# mine\n")
    assert load_pack(own).exemplars
    assert {path: path.read_bytes() for path in untouched} == untouched
    found = {boss.slug: boss.path for boss in find_bosses(boss_folders())}
    assert found["training-dummy"] == own
    assert version_of(own) == 2
    with LabDraft(state, shipped) as draft:
        draft.write(Part.RUBRIC, text + "\n# again\n")
        with pytest.raises(UsageError, match="of your own"):
            save_version(draft, state)


def test_a_draft_that_cannot_be_used_is_not_saved_and_stays(packs: Path, state: Path) -> None:
    with LabDraft(state, load_pack(packs)) as draft:
        draft.write(Part.EVIDENCE, "works: [")
        with pytest.raises(UsageError, match=r"evidence\.yaml:2: not valid YAML"):
            save_version(draft, state)
        assert draft.text(Part.EVIDENCE) == "works: ["
    assert not (packs / "versions").exists()


def test_a_file_that_cannot_be_replaced_leaves_the_draft_and_the_pack(
    packs: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (packs / "versions").write_text("in the way", "utf-8")
    with LabDraft(state, load_pack(packs)) as draft:
        draft.write(Part.RUBRIC, LOWER)
        with pytest.raises(UsageError, match="The draft is still there"):
            save_version(draft, state)
        assert draft.text(Part.RUBRIC) == LOWER
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
        contenders(told)


def test_contenders_name_models_and_rubrics() -> None:
    one, other = contenders("panel:small+large, after")
    assert (one.judge, one.models, one.by_draft) == ("panel", ("small", "large"), False)
    assert (other.judge, other.by_draft, other.is_free) == ("forge", True, True)


def exhibit(bench: LabBench) -> Any:
    from evalforge.lab.exhibits import Exhibit, exemplars

    (source,) = exemplars(bench.pack)
    facts = evidence(trials__all=1.0, trials__edges=0.7, code__longest_function=30, code__pure_functions=0)
    return Exhibit(source.id, source.name, source.kind, source.submission, source.directory, source.gold, facts)


async def ask(name: str, models: ModelOptions, case: Case) -> AsyncGenerator[Event]:
    assert name == "forge"
    yield conclude(case, opine(case))


def drafted(bench: LabBench, part: Part, text: str) -> tuple[BossPack, BossPack]:
    bench.draft.write(part, text)
    after = check(bench.draft).pack
    assert after is not None
    return bench.pack, after


async def test_before_and_after_differ_where_the_change_bites_and_one_that_cannot_be_had_says_why(
    packs: Path, state: Path
) -> None:
    bench = LabBench(state, load_pack(packs))
    both = drafted(bench, Part.EVIDENCE, EVIDENCE.replace('"<= 40"', '"<= 20"'))
    shown = exhibit(bench)
    sides = [await judge_side(one, shown, both, ModelOptions(), ask) for one in contenders("before,after")]
    found = pairings(both, (sides[0], sides[1]))
    assert [(one.criterion.id, one.differs) for one in found] == [("works", False), ("shape", True)]
    claude = await judge_side(contenders("claude,forge")[0], shown, both, ModelOptions(), ask)
    assert claude.judged is None
    assert "ANTHROPIC_API_KEY" in claude.why_not
    assert not any(one.differs for one in pairings(both, (claude, sides[0])))
    bench.close()


def test_rounds_are_held_against_gold_and_against_each_other_and_kept(packs: Path, state: Path) -> None:
    bench = LabBench(state, load_pack(packs))
    before, after = drafted(bench, Part.EVIDENCE, EVIDENCE.replace('"<= 40"', '"<= 20"'))
    exhibits = [exhibit(bench)]
    info = ForgeJudge().info
    one, other = forge_round(before, exhibits, info), forge_round(after, exhibits, info)
    assert [(miss.criterion_id, miss.one, miss.other) for miss in misses(exhibits, one)] == [("works", 2, 1)]
    apart = differences(exhibits, one, other)
    assert [(each.criterion_id, each.one, each.other) for each in apart] == [("shape", 1, 0)]
    units = rate(before, exhibits, one)
    assert of_all(units).exact.value == 0.5
    assert of_criterion(before, units, "works").confusion == ((0, 0, 0), (0, 0, 0), (0, 1, 0))
    assert of_all(rate(before, exhibits, other, against=one)).exact.value == 0.5
    book = RoundBook(state, "golem")
    book.add(one)
    book.add(other)
    (state / "lab" / "rounds" / "golem" / "broken.json").write_text("{", "utf-8")
    assert book.rounds() == [other, one]
    bench.close()


def test_a_hand_in_that_would_leave_its_folder_is_not_followed(tmp_path: Path) -> None:
    from evalforge.lab.exhibits import _write
    from evalforge.model.submission import Submission, SubmissionFile

    files = (SubmissionFile(path="../out.py", content="x"), SubmissionFile(path="in/a.py", content="y\r\n"))
    _write(Submission(files=files), tmp_path / "here")
    assert not (tmp_path / "out.py").exists()
    assert (tmp_path / "here" / "in" / "a.py").read_bytes() == b"y\r\n"
