"""Lists of attempts: every order, filter and search, page by page, says the same as a plain sort would."""

import random
from collections.abc import Iterator

import pytest

from benchmarks.history import generate
from evalforge.history import listing
from evalforge.history.listing import AttemptFilter, Order
from evalforge.history.store import History
from evalforge.model.attempt import AttemptRow
from tests.database import execute_sql

COUNT = 300


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Iterator[History]:
    path = tmp_path_factory.mktemp("history") / "attempts.sqlite3"
    generate(path, COUNT)
    with History(path) as opened:
        yield opened


def everything(history: History, wanted: AttemptFilter | None = None, order: Order = Order.NEWEST) -> list[AttemptRow]:
    found = history.listing(wanted, order)
    return [row for start in range(0, found.count, 7) for row in found.page(start, 7)]


KEYS = {
    Order.NEWEST: lambda row: -row.number,
    Order.INTEGRITY: lambda row: (-(row.integrity or 0), -row.number),
    Order.BOSS: lambda row: (row.boss_id, -row.number),
}


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize(
    "wanted",
    [
        AttemptFilter(),
        AttemptFilter(boss_id="boss-coal"),
        AttemptFilter(verdict="pass"),
        AttemptFilter(boss_id="boss-coal", verdict="fail"),
        AttemptFilter(state="judged"),
        AttemptFilter(with_classes=True),
        AttemptFilter(text="KILN"),
        AttemptFilter(text="forge", verdict="pass"),
        AttemptFilter(boss_id="boss-of-nobody"),
    ],
    ids=str,
)
def test_pages_put_together_are_the_sorted_list(history: History, wanted: AttemptFilter, order: Order) -> None:
    rows = history.page(None, 0, COUNT)
    expected = [
        row
        for row in sorted(rows, key=KEYS[order])
        if wanted.boss_id in ("", row.boss_id)
        and wanted.verdict in ("", row.verdict)
        and wanted.text.lower() in f"{row.boss_title} {row.directory}".lower()
    ]
    assert everything(history, wanted, order) == expected
    assert history.count(wanted) == len(expected)


@pytest.mark.parametrize("order", Order)
def test_any_page_can_be_read_at_once(history: History, order: Order) -> None:
    whole = everything(history, order=order)
    found = history.listing(None, order)
    rng = random.Random(3)
    for _ in range(40):
        start, limit = rng.randrange(COUNT + 5), rng.randrange(1, 50)
        assert found.page(start, limit) == whole[start : start + limit]


def test_a_search_finds_the_beginning_of_an_id(history: History) -> None:
    row = history.page(None, 17, 1)[0]
    assert row in everything(history, AttemptFilter(text=row.id[:6].upper()))
    assert not everything(history, AttemptFilter(text=row.id[2:]))


@pytest.mark.parametrize("text", ["%", "_", "'", "\\", "[", '"', "\ud83d", "\x00", "no such thing"])
def test_what_means_something_to_a_database_is_only_text(history: History, text: str) -> None:
    assert everything(history, AttemptFilter(text=text)) == []


def test_a_search_with_too_many_hits_says_so(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "SEARCH_LIMIT", 20)
    found = history.listing(AttemptFilter(text="forge"))
    assert (found.count, found.is_truncated, len(found.page(0, 100))) == (20, True, 20)
    assert not history.listing(AttemptFilter(text="kiln-17")).is_truncated


def test_no_page_needs_the_long_parts_of_an_attempt(history: History) -> None:
    columns = {row[1] for row in execute_sql(history.path, "PRAGMA table_info(attempts)")}
    assert not columns & {"body", "events", "notes"}
