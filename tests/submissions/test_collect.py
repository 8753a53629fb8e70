"""Collecting a directory: what goes in, what stays out, and why."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalforge.model.errors import SubmissionError
from evalforge.model.submission import Submission, SubmissionFile
from evalforge.model.text import UNSAFE
from evalforge.submissions.collect import CollectLimits, collect


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def reasons(submission: Submission) -> dict[str, str]:
    return {item.path: item.reason for item in submission.left_out}


def test_text_files_go_in_sorted_by_path(tmp_path: Path) -> None:
    submission = collect(write(tmp_path, {"b.py": "1", "a/c.py": "2", "data.csv": "3", "README.md": "hello"}))
    assert [file.path for file in submission.files] == ["README.md", "a/c.py", "b.py", "data.csv"]
    assert submission.notes == "hello"


def test_given_notes_stand_before_the_readme(tmp_path: Path) -> None:
    assert collect(write(tmp_path, {"b.py": "1", "README.md": "hello"}), "mine").notes == "mine"


def test_notes_that_are_no_text_become_text(tmp_path: Path) -> None:
    notes = collect(write(tmp_path, {"b.py": "1"}), os.fsdecode(b"bad \xff")).notes
    assert notes == "bad ?"


@pytest.mark.parametrize(
    ("path", "content", "reason"),
    [
        ("__pycache__/x.py", "", "caches"),
        (".venv/lib/x.py", "", "caches"),
        (".secret/x.py", "", "hidden folder"),
        ("picture.png", b"\x89PNG", "not a type of text file"),
        ("x.json", b"\xff\xfe", "not UTF-8"),
        ("x.txt", "a\0b", "binary"),
        ("uv.lock", "", "generated"),
        ("big.csv", "x" * 300_000, "larger than 256,000 bytes"),
        ("skipped.py", "", "ignored by .gitignore"),
        ("out/x.py", "", "ignored by .gitignore"),
        ("evil\u202ename.py", "", "control or invisible"),
        ("evil\x1b]0;x\x07.py", "", "control or invisible"),
    ],
)
def test_what_stays_out_says_why(tmp_path: Path, path: str, content: str | bytes, reason: str) -> None:
    write(tmp_path, {"main.py": "1", ".gitignore": "skipped.py\nout/\n", path: content})
    submission = collect(tmp_path)
    assert submission.file(path) is None
    told = {place: why for place, why in reasons(submission).items() if why.startswith(reason) or reason in why}
    assert told


def test_the_hash_of_a_submission_is_what_it_always_was() -> None:
    """Receipts, classes and replies on record are found again by it."""
    files = (SubmissionFile(path="main.py", content="print(1)\n"), SubmissionFile(path="README.md", content="Words.\n"))
    assert (
        Submission(files=files, notes="Words.\n").content_hash
        == "5b94f469c6df5c4ed97fe53572d91e8067f7f4c82bb57451a00d5ade5c163e80"
    )


def test_a_gitignore_is_followed_in_bounded_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = "*a" * 14 + "b"
    write(tmp_path, {"main.py": "1", "out.py": "2", "a" * 200 + ".py": "3", ".gitignore": f"{stuck}\nout.py\n"})
    found = collect(tmp_path)
    assert [file.path for file in found.files if file.path.endswith(".py")] == ["a" * 200 + ".py", "main.py"]
    assert [(left.path, left.reason) for left in found.left_out] == [
        (".gitignore", "of this, patterns with more than 3 wildcards"),
        ("out.py", "ignored by .gitignore"),
    ]
    monkeypatch.setattr("evalforge.submissions.collect._MAX_IGNORE_SECONDS", 0.0)
    with pytest.raises(SubmissionError, match="takes too long to apply"):
        collect(tmp_path)


def test_a_nested_gitignore_can_take_a_file_back_in(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "main.py": "",
            ".gitignore": "*.log\n",
            "keep/.gitignore": "!a.log\n",
            "keep/a.log": "x",
            "b.log": "y",
        },
    )
    paths = [file.path for file in collect(tmp_path).files]
    assert "keep/a.log" in paths
    assert "b.log" not in paths


def test_links_are_never_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("KEY = 1")
    root = write(tmp_path / "root", {"main.py": "1"})
    (root / "link.py").symlink_to(secret)
    (root / "folder").symlink_to(tmp_path)
    os.mkfifo(root / "pipe.py")
    submission = collect(root)
    assert [file.path for file in submission.files] == ["main.py"]
    assert reasons(submission) == {"link.py": "a link", "folder": "a link", "pipe.py": "not a regular file"}


def test_data_does_not_push_code_out(tmp_path: Path) -> None:
    data = {f"a{number:03}.csv": "1" for number in range(250)}
    code = {"src/tool/core.py": "x = 1\n", "tests/test_core.py": "def test_it(): pass\n"}
    submission = collect(
        write(tmp_path, {**data, **code, "pyproject.toml": "", "tests/README.md": "", "README.md": "r"})
    )
    assert {*code, "pyproject.toml", "README.md"} <= {file.path for file in submission.files}
    assert submission.notes == "r"
    assert reasons(submission)["a249.csv"] == "more than 200 files"


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "iso-8859-15", "koi8-r", "shift_jis"])
def test_a_file_is_read_in_the_encoding_that_it_names(tmp_path: Path, encoding: str) -> None:
    word = {"koi8-r": "Ж", "shift_jis": "表"}.get(encoding, "é")
    source = f"#!/usr/bin/python3\n# -*- coding: {encoding} -*-\nWORD = '{word}'\n"
    submission = collect(write(tmp_path, {"main.py": source.encode(encoding)}))
    assert submission.contents["main.py"] == source.replace(encoding, "utf-8")


def test_utf8_read_as_another_encoding_is_what_python_runs(tmp_path: Path) -> None:
    submission = collect(write(tmp_path, {"main.py": "# coding: latin-1\nWORD = 'é'\n"}))
    assert submission.contents["main.py"] == "# coding: utf-8\nWORD = 'Ã©'\n"


@pytest.mark.parametrize("head", ["", "x = 1\n# coding: cp1252", "# coding: utf-7", "# coding: rot13"])
def test_other_text_that_is_not_utf8_stays_out(tmp_path: Path, head: str) -> None:
    submission = collect(write(tmp_path, {"main.py": "1", "other.py": f"{head}\nWORD = 'é'\n".encode("cp1252")}))
    assert reasons(submission)["other.py"] == "not UTF-8 text"


def test_limits_cut_the_deepest_first_and_say_so(tmp_path: Path) -> None:
    write(tmp_path, {f"{'d/' * depth}f.py": "x" for depth in range(5)})
    submission = collect(tmp_path, limits=CollectLimits(max_files=3))
    assert [file.path for file in submission.files] == ["d/d/f.py", "d/f.py", "f.py"]
    assert set(reasons(submission).values()) == {"more than 3 files"}
    submission = collect(tmp_path, limits=CollectLimits(max_total_bytes=2))
    assert len(submission.files) == 2


@pytest.mark.parametrize("name", [b"bad-\xff", b"ev\x1bil", "bi\u202edi".encode()])
def test_links_and_folders_with_hostile_names_are_told_safely(tmp_path: Path, name: bytes) -> None:
    write(tmp_path, {"main.py": "1"})
    (tmp_path / os.fsdecode(b"." + name)).mkdir()
    (tmp_path / os.fsdecode(name)).symlink_to("/")
    submission = collect(tmp_path)
    assert len(submission.left_out) == 2
    for item in submission.left_out:
        assert not UNSAFE.search(item.path)
        item.model_dump_json()


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "no file that can be judged"),
        ({"README.md": "x"}, "no Python file"),
        ({".venv/x.py": ""}, "no file"),
    ],
)
def test_nothing_to_judge_is_refused(tmp_path: Path, files: dict[str, str], words: str) -> None:
    with pytest.raises(SubmissionError, match=words):
        collect(write(tmp_path, files))


def test_a_refusal_says_what_was_left_out_and_why(tmp_path: Path) -> None:
    write(tmp_path, {"README.md": "x", "a.bin": "", "b.bin": "", "c.bin": ""})
    (tmp_path / "dummy.py").write_bytes("x = 1".encode("utf-16"))
    told = r"no Python file\. Left out: dummy\.py \(not UTF-8 text but UTF-16\), a\.bin \(.*\), b\.bin \(.*\), …\."
    with pytest.raises(SubmissionError, match=told):
        collect(tmp_path)


def test_a_missing_directory_and_a_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="does not exist"):
        collect(tmp_path / "nowhere")
    (tmp_path / "x.py").write_text("")
    with pytest.raises(SubmissionError, match="not a directory"):
        collect(tmp_path / "x.py")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_directory_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0)
    try:
        with pytest.raises(SubmissionError, match="can't be read"):
            collect(tmp_path)
    finally:
        tmp_path.chmod(0o700)


files = st.lists(
    st.tuples(st.from_regex(r"[a-z]{1,4}\.py", fullmatch=True), st.text()),
    min_size=1,
    unique_by=lambda pair: pair[0],
)


@given(files, st.randoms())
def test_the_hash_follows_content_and_ignores_order(pairs: list[tuple[str, str]], random) -> None:
    made = [SubmissionFile(path=path, content=content) for path, content in pairs]
    shuffled = random.sample(made, len(made))
    first = Submission(files=tuple(made))
    assert first.content_hash == Submission(files=tuple(shuffled)).content_hash
    changed = made[0].model_copy(update={"content": made[0].content + "x"})
    assert first.content_hash != Submission(files=(changed, *made[1:])).content_hash
    assert first.content_hash != Submission(files=tuple(made), notes="n").content_hash


def test_what_is_left_out_is_counted_though_not_all_is_listed(tmp_path):
    write(tmp_path, {"main.py": "1"})
    for index in range(10_000):
        (tmp_path / f"{index:05}.bin").touch()
    found = collect(tmp_path)
    assert found.total_left_out == 10_000
    assert len(found.left_out) < 10_000
