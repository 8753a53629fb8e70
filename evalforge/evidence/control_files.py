"""Files that would control a run instead of being judged, such as ``sitecustomize.py`` or a module named ``pytest``.

They are left out of the run, and the player reads why.
"""

import codecs
import io
import re
import tokenize
from pathlib import PurePosixPath

from evalforge.model.submission import Submission
from evalforge.sandbox.host.runs.own_modules import is_always_pythons

_CONTROL_FILES = {
    "sitecustomize.py": "it would run before the judging",
    "usercustomize.py": "it would run before the judging",
}
# Text reads the same in these as in UTF-8; plain ASCII also does in codecs whose names begin as below.
_UTF8_CODECS = frozenset({"utf-8", "utf-8-sig", "ascii"})
_ASCII_COMPATIBLE = ("iso8859", "cp125", "koi8", "mac-")
_TEST_TOOLS = frozenset({"pytest", "_pytest", "pluggy", "iniconfig", "coverage", "hypothesis"})


def control_files(submission: Submission) -> dict[str, str]:
    """The paths to leave out of a run, each with the reason."""
    reasons: dict[str, str] = {}
    for file in submission.files:
        path = PurePosixPath(file.path)
        reason = _CONTROL_FILES.get(path.name) or _shadowing_reason(path) or _encoding_reason(path, file.content)
        if path.suffix == ".pth":
            reason = "it would run before the judging"
        if reason:
            reasons[file.path] = reason
    return reasons


def _shadowing_reason(path: PurePosixPath) -> str:
    """Why a module is left out: Python never imports it, or its name would hide one of the test tools; else empty."""
    if path.parts[:1] == ("src",):
        path = PurePosixPath(*path.parts[1:]) if len(path.parts) > 1 else path
    if len(path.parts) == 1 and path.suffix == ".py":
        name = path.stem
    elif len(path.parts) == 2 and path.name == "__init__.py":
        name = path.parts[0]
    else:
        return ""
    if name in _TEST_TOOLS:
        return f"it would take the place of {name}"
    if is_always_pythons(name):
        return f"Python imports its own module {name} instead: choose another name"
    return ""


def _encoding_reason(path: PurePosixPath, content: str) -> str:
    """Why a module is left out: Python would run other text than we read; else empty."""
    if path.suffix != ".py" or "coding" not in content:
        return ""
    head = "\n".join(re.split(r"\r\n?|\n", content, maxsplit=2)[:2])
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(head.encode("utf-8", "surrogatepass")).readline)[0]
        name = codecs.lookup(encoding).name
    except (SyntaxError, LookupError):
        return ""  # Python refuses it too
    if name in _UTF8_CODECS or (content.isascii() and name.startswith(_ASCII_COMPATIBLE)):
        return ""
    return f"it says that it is written in {encoding}: write it in UTF-8"


def runnable_python_files(submission: Submission) -> dict[str, str]:
    """The Python files that take part in a run: content by path, sorted by path."""
    left_out = control_files(submission)
    files = {file.path: file.content for file in submission.files if file.path.endswith(".py")}
    return {path: files[path] for path in sorted(files) if path not in left_out}


def control_file_notices(submission: Submission) -> tuple[str, ...]:
    """Notices to the player on each control file."""
    return tuple(f"{path} was left out of the run: {reason}." for path, reason in control_files(submission).items())
