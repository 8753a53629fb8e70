"""What the cage refused, in words: an ``EPERM`` by itself doesn't say that the program wanted a socket.

Python announces each sensitive deed to audit hooks just before it. Ours remembers the last one, so that an error that
escapes can be told as "tried to open a socket".
"""

from __future__ import annotations

import errno
import sys

_PROCESS, _PROGRAM, _SIGNAL = "start a process", "start a program", "send a signal to another process"
_DEEDS = {
    "socket.__new__": "open a socket",
    "os.fork": _PROCESS,
    "os.forkpty": _PROCESS,
    "os.exec": "run another program",
    "os.posix_spawn": _PROGRAM,
    "os.spawn": _PROGRAM,
    "os.system": _PROGRAM,
    "subprocess.Popen": _PROGRAM,
    "os.kill": _SIGNAL,
    "os.killpg": _SIGNAL,
    "signal.pthread_kill": _SIGNAL,
    "resource.prlimit": "change the limits of a process",
    "resource.setrlimit": "change its own limits",
}
_FILES = frozenset(
    "open os.listdir os.scandir os.mkdir os.rmdir os.remove os.rename os.link os.symlink os.truncate os.chdir "
    "shutil.rmtree shutil.copyfile shutil.move sqlite3.connect".split()
)
_TEXT_CAP = 200

_last = [""]


def _listen(event, _):
    if event in _DEEDS:
        _last[0] = _DEEDS[event]
    elif event in _FILES:
        _last[0] = ""


def remember():
    """Note from here on what is tried. Can't be undone in this process."""
    sys.addaudithook(_listen)


def in_words(error, limits):
    """What an error that escaped was refused, e.g. ``open a socket``; empty if it wasn't the cage.

    Args:
        error: The exception.
        limits: The run's bounds, as the client sent them.
    """
    if not isinstance(error, OSError):
        return ""
    if error.errno == errno.EFBIG:
        return "write a file larger than %d MB" % (limits["file_bytes"] // (1024 * 1024))
    if error.errno == errno.EMFILE:
        return "hold more than %d files open" % limits["open_files"]
    if error.errno not in (errno.EPERM, errno.EACCES):
        return ""
    if _last[0]:
        return _last[0]
    if isinstance(error.filename, (str, bytes)):
        name = error.filename if isinstance(error.filename, str) else error.filename.decode("utf-8", "replace")
        return "reach %s, which lies outside its folder" % name[:_TEXT_CAP]
    return "do what programs may not do here"
