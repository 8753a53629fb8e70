"""The steps of a trial as a shell command to run in the player's folder."""

import shlex
from collections.abc import Mapping

from evalforge.sandbox.program import Call, Program

_MAX_CHARS = 6000
_END_OF_SCRIPT = "END"


def script_command(script: str, files: Mapping[str, bytes], program: Program | None) -> str:
    """The command that runs a Python script beside the player's modules; empty if it is too long to copy."""
    if not script:
        return ""
    folder = _import_folder(program)
    python = f"python3 - <<'{_END_OF_SCRIPT}'\n{script}\n{_END_OF_SCRIPT}"
    if files:
        paths = "$OLDPWD" + (f"/{folder}" if folder else "")
        return _bounded(f'{_writing(files)} && PYTHONPATH="{paths}" {python}')
    return _bounded(f"PYTHONPATH={shlex.quote(folder)} {python}" if folder else python)


def call_command(program: Program | None, call: Call) -> str:
    """The command that runs the player's program like a trial did; empty if it is too long to copy."""
    if program is None:
        return ""
    args = " ".join(map(shlex.quote, call.args))
    settings = "".join(f"{name}={shlex.quote(value)} " for name, value in call.env.items())
    folder = _import_folder(program)
    root = '"$OLDPWD"/' if call.files else ""
    if program.kind == "script":
        python = f"python3 {root}{shlex.quote(program.name)} {args}".rstrip()
    else:
        paths = root.rstrip("/") + (f"/{folder}" if root and folder else folder)
        python = (f"PYTHONPATH={paths} " if paths else "") + f"python3 -m {program.name} {args}".rstrip()
    fed = f"printf {_printf_text(call.stdin)} | " if call.stdin else ""
    writing = f"{_writing(call.files)} && " if call.files else ""
    return _bounded(f"{writing}{fed}{settings}{python}")


def _writing(files: Mapping[str, bytes]) -> str:
    """Commands that change to a new folder and write files there."""
    steps = ['cd "$(mktemp -d)"']
    folders = sorted({name.rpartition("/")[0] for name in files} - {""})
    if folders:
        steps.append(f"mkdir -p {' '.join(map(shlex.quote, folders))}")
    steps += [f"printf {_printf_text(content)} > {shlex.quote(name)}" for name, content in files.items()]
    return " && ".join(steps)


def _printf_text(content: bytes) -> str:
    """Bytes in the form that ``printf`` accepts: text unchanged, everything else as octal numbers."""
    text = content.decode(errors="replace")
    if text.encode() == content and text.replace("\n", "").replace("\t", "").isprintable():
        return f"%s {shlex.quote(text)}"
    return shlex.quote("".join(_octal(byte) for byte in content))


def _octal(byte: int) -> str:
    is_plain = 32 <= byte < 127 and chr(byte) not in "\\%"
    return chr(byte) if is_plain else f"\\{byte:03o}"


def _import_folder(program: Program | None) -> str:
    """The folder in the submission from which the player's modules are imported; empty for its root."""
    return program.name.rpartition("/")[0] if program is not None and program.kind == "script" else ""


def _bounded(command: str) -> str:
    return command if len(command) <= _MAX_CHARS else ""
