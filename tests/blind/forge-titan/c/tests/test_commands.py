import json
import os

import pytest


def test_a_day(run, tmp_path):
    batch = tmp_path / "batch"
    batch.write_text('[{"id": "a"}, {"id": "\u00e4"}]', encoding="utf-8")
    assert run("add", batch, "--key", "k")[:2] == (0, {"added": 2})
    assert run("add", "--key", "k", batch)[:2] == (0, {"added": 0})
    assert run("take", "--now", 1, "--lease", 5)[:2] == (0, {"job": "a", "attempt": 1})
    assert run("take", "--now", 1)[:2] == (0, {"job": "\u00e4", "attempt": 1})
    assert run("take", "--now", 1)[:2] == (3, {"job": None})
    assert run("done", "a", 1, "--now", 2)[:2] == (0, {"counted": True})
    assert run("done", "a", 1, "--now", 2)[:2] == (0, {"counted": False})
    assert run("fail", "--now", 3, "\u00e4", 1)[:2] == (0, {"counted": True})
    assert run("status", "--now", 3)[1]["counts"]["resting"] == 1


@pytest.mark.parametrize(
    "text, status",
    [("[", 4), ("[]", 4), ('[{"id": "a", "after": ["a"]}]', 4), ('[{"id": "new"}]', 5), (None, 1)],
)
def test_refused_batches(run, book, tmp_path, text, status):
    book.add([{"id": "o"}], "k")
    if text is not None:
        (tmp_path / "batch").write_text(text, encoding="utf-8")
    code, out, err = run("add", tmp_path / "batch", *(["--key", "k"] if status == 5 else []))
    assert (code, out) == (status, None)
    assert err.strip()
    if "after" in (text or ""):
        assert "a -> a" in err
    if text is None:
        assert str(tmp_path / "batch") in err


@pytest.mark.parametrize(
    "line",
    ["take", "take --now x", "take --now -1", "take --now 1.5", "take --now 1 --lease 0", "done a --now 1", "sing --now 1",
     "done a x --now 1", "take --now", "take --now 1 --loud 3"],
)
def test_wrong_lines(run, line):
    code, out, err = run(*line.split())
    assert (code, out) == (2, None) and err.strip()


def test_stale(run):
    assert run("done", "nobody", 1, "--now", 1)[:2] == (5, None)


def test_damage(run, journal):
    journal.write_text("x\ny\n", encoding="utf-8")
    code, out, err = run("status", "--now", 1)
    assert (code, out) == (6, None) and "1" in err


def test_report(run, tmp_path, book):
    book.add([{"id": "a"}])
    target = tmp_path / "report"
    assert run("status", "--now", 4, "--report", target) == (0, None, "")
    assert json.loads(target.read_text(encoding="utf-8")) == book.status(4)
    code, out, err = run("status", "--now", 4, "--report", tmp_path / "no" / "report")
    assert (code, out) == (1, None) and "report" in err


@pytest.mark.xfail(strict=True, reason="the report is written in its place")
def test_a_swap_that_fails(book, tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    target = tmp_path / "out" / "report"
    target.write_text("old", encoding="utf-8")

    def broken(*arguments, **options):
        raise OSError("no")

    monkeypatch.setattr(os, "replace", broken)
    monkeypatch.setattr(os, "rename", broken)
    with pytest.raises(OSError):
        book.report(str(target), 5)
    assert target.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path / "out") == ["report"]
