"""Files: opening one that is ours, and replacing one by a finished copy."""

import os
import tempfile
from pathlib import Path

from store.leaves import HEADER


def taken(path):
    """Return an open file that begins with our header and is written at its end only.

    Raises a ValueError if it is somebody else's, and the OSError of the system if there can be no file.
    """
    file = open(path, "a+b")
    try:
        _claim(file)
    except BaseException:
        file.close()
        raise
    return file


def _claim(file):
    """Complete the header of a file that has none, or only its beginning."""
    file.seek(0)
    begin = file.read(len(HEADER))
    if not HEADER.startswith(begin):
        raise ValueError("this file belongs to somebody else")
    if begin != HEADER:
        append(file, HEADER[len(begin) :])


def append(file, content):
    """Add bytes to the end of a file, so that every other reader sees them."""
    file.write(content)
    file.flush()


def copied(path, contents):
    """Write a finished file beside the one at path, and return where it lies."""
    handle, name = tempfile.mkstemp(dir=Path(path).parent)
    try:
        with open(handle, "wb") as file:
            file.write(HEADER)
            file.writelines(contents)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        os.remove(name)
        raise
    return name


def swapped(copy, path):
    """Put a finished file in the place of another, or remove it if that fails."""
    try:
        os.rename(copy, path)
    except OSError:
        os.remove(copy)
        raise
