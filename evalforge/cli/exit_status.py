"""The exit statuses of every command; scripts rely on them."""

from enum import IntEnum


class ExitStatus(IntEnum):
    """How a command ended, as its exit status.

    Attributes:
        SUCCESS: The command succeeded, and whatever it judged passed.
        NOT_PASSED: The submission did not pass, the evaluation did not improve, or the receipt does not match.
        UNUSABLE: The command or its input can't be used: a wrong option, a pack with problems, an unreadable file.
        UNGRADED: Something could not be judged, or nothing here can judge.
        INTERRUPTED: The user pressed Ctrl+C.
    """

    SUCCESS = 0
    NOT_PASSED = 1
    UNUSABLE = 2
    UNGRADED = 3
    INTERRUPTED = 130
