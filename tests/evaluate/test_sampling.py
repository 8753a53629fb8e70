"""The sample: the same items whatever their order, mostly the same when others come and go, strata mixed."""

import hashlib
import math
import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evalforge.evaluate.items import Item
from evalforge.evaluate.sampling import StratumSample, batch_keys, draw_strata, draw_stratum, interleave
from evalforge.evaluate.spec import JudgeSpec

ids = st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=60, unique=True)


def items_of(names: list[str], bucket: str = "") -> list[Item]:
    return [Item(name, None, bucket) for name in names]


def independent(names: list[str], bucket: str, count: int, seed: int) -> list[str]:
    """Bottom-k, written down a second time: hash everything, sort everything, take the first."""
    hashed = []
    for name in names:
        digest = hashlib.sha256()
        for part in (str(seed), bucket, name):
            digest.update(f"{len(part)}:".encode() + part.encode("utf-8", "surrogatepass"))
        hashed.append((int(digest.hexdigest(), 16), name))
    hashed.sort()
    return [name for _, name in hashed][:count]


@given(ids, st.integers(0, 80), st.integers(), st.text(max_size=5))
def test_it_is_bottom_k_of_the_hash(names: list[str], count: int, seed: int, bucket: str) -> None:
    drawn = draw_stratum(items_of(names), bucket, count, seed)
    assert [item.key for item in drawn.items] == independent(names, bucket, count, seed)
    assert drawn.requested - len(drawn.items) == max(0, count - len(names))


@given(ids, st.integers(1, 20), st.integers(0, 5), st.randoms())
def test_order_does_not_matter(names: list[str], count: int, seed: int, chance: random.Random) -> None:
    mixed = list(names)
    chance.shuffle(mixed)
    assert (
        draw_stratum(items_of(names), "b", count, seed).items == draw_stratum(items_of(mixed), "b", count, seed).items
    )


@given(ids, st.integers(1, 20), st.data())
def test_an_item_that_leaves_changes_the_sample_by_one_at_most(
    names: list[str], count: int, data: st.DataObject
) -> None:
    gone = data.draw(st.sampled_from(names))
    before = {item.key for item in draw_stratum(items_of(names), "", count, 42).items}
    after = {item.key for item in draw_stratum(items_of([name for name in names if name != gone]), "", count, 42).items}
    assert before - after <= {gone}
    assert len(after - before) <= (gone in before)


def test_another_seed_draws_others_and_all_have_a_chance() -> None:
    names = [f"i{n}" for n in range(50)]
    drawn = Counter(item.key for seed in range(600) for item in draw_stratum(items_of(names), "", 10, seed).items)
    assert len(drawn) == 50
    # 120 times each is expected; five standard deviations are 49.
    assert all(abs(count - 120) < 50 for count in drawn.values())


@given(st.dictionaries(st.sampled_from("abcde"), st.integers(0, 30), min_size=1), st.integers(1, 9), st.integers(0, 3))
def test_every_batch_holds_its_share_of_every_stratum(sizes: dict[str, int], size: int, seed: int) -> None:
    strata = [
        StratumSample(
            bucket,
            count,
            count,
            draw_stratum(items_of([f"{bucket}{n}" for n in range(count)]), bucket, None, seed).items,
        )
        for bucket, count in sizes.items()
    ]
    order = interleave(strata, seed)
    total = sum(sizes.values())
    assert sorted(item.key for item in order) == sorted(item.key for drawn in strata for item in drawn.items)
    cut = batch_keys(order, size)
    assert len(cut) == math.ceil(total / size)
    assert all(len(batch) == size for batch in cut[:-1])
    kinds = sum(count > 0 for count in sizes.values())
    for batch in cut[:-1]:
        for bucket, count in sizes.items():
            share = size * count / total
            assert abs(sum(key[0] == bucket for key in batch) - share) <= 1 + kinds * count / total


def test_a_short_bucket_is_not_filled_up_from_others() -> None:
    judge = JudgeSpec.model_validate({
        "rubric": "Rate 1-5.", "stratification": [{"bucket": "big", "count": 3}, {"bucket": "rare", "count": 3},
                                                  {"bucket": "other", "count": 1}],
    })  # fmt: skip
    items = [*items_of([f"b{n}" for n in range(9)], "big"), *items_of(["r"], "rare"), *items_of(["x", "y"]),
             *items_of(["z"], "unnamed")]  # fmt: skip
    strata, unnamed = draw_strata(items, judge)
    assert [(one.bucket, one.population, len(one.items), one.requested - len(one.items)) for one in strata] == [
        ("big", 9, 3, 0), ("rare", 1, 1, 2), ("other", 2, 1, 0),
    ]  # fmt: skip
    assert unnamed == {"unnamed": 1}
