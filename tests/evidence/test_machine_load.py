"""Tests get the time that a free machine would have given them, by the kernel's own account."""

import os
import time
from pathlib import Path

import pytest

from evalforge.evidence import machine_load
from evalforge.evidence.machine_load import has_passed, slowdown


@pytest.fixture
def accounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for ``/proc`` with one process, number 7."""
    (tmp_path / "7").mkdir()
    monkeypatch.setattr(machine_load, "PROCESS_FOLDER", tmp_path)
    return tmp_path / "7" / "schedstat"


@pytest.mark.parametrize(
    ("account", "expected"),
    [
        ("100000000 0 12\n", 1.0),
        ("100000000 150000000 12\n", 2.5),
        ("100000000 99900000000 12\n", 50.0),
        ("4000000 40000000 2\n", 1.0),
        ("0 0 0\n", 1.0),
        ("", 1.0),
        ("what is this\n", 1.0),
    ],
)
def test_waiting_for_a_processor_is_not_held_against_tests(accounts: Path, account: str, expected: float) -> None:
    accounts.write_text(account)
    assert slowdown(7) == expected


@pytest.mark.parametrize(("waited_nanoseconds", "is_over"), [(0, True), (100_000_000, True), (300_000_000, False)])
def test_a_limit_is_counted_as_a_free_machine_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waited_nanoseconds: int, is_over: bool
) -> None:
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "schedstat").write_text(f"100000000 {waited_nanoseconds} 9\n")
    monkeypatch.setattr(machine_load, "PROCESS_FOLDER", tmp_path)
    monkeypatch.setattr(time, "monotonic", lambda: 125.0)
    assert has_passed(started_at=100.0, seconds=10.0) is is_over


def test_where_the_kernel_keeps_no_account_nothing_changes(accounts: Path) -> None:
    assert not accounts.exists()
    assert slowdown(7) == 1.0


def test_this_process_has_an_account() -> None:
    assert 1.0 <= slowdown() <= 50.0
    assert slowdown(os.getpid()) >= 1.0
