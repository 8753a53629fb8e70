"""The list of names that may say too little: each kind with its place, and nothing else."""

from pathlib import Path

from tests.candidate_names import candidates

SOURCE = """class Ledger:
    def show(self, words: str) -> None:
        _told = speed = 1

    def show_total(self, amount: int) -> None:
        seed = is_closed = amount
"""


def test_every_kind_of_candidate_is_listed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "ledger.py").write_text(SOURCE)
    (tmp_path / "ledger.py").write_text("class Ledger:\n    pass\n")
    assert sorted(candidates(tmp_path)) == [
        ("class of the same name", "a/ledger.py:1, ledger.py:1", "Ledger"),
        ("module of the same name", "a/ledger.py, ledger.py", "ledger"),
        ("value named by a participle", "a/ledger.py:3", "_told"),
        ("verb without an object", "a/ledger.py:2", "show"),
        ("word that fits everything", "a/ledger.py:2", "words"),
    ]
