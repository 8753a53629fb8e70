"""Errors for processes of ours that end before they have done their work."""

import signal

from evalforge.model.errors import OwnFailureError

_TIME_SIGNALS = (signal.SIGXCPU, signal.SIGALRM)


class TookTooLongError(OwnFailureError):
    """A process of ours exceeded its time limit."""


def ended_process(name: str, exit_code: int | None) -> OwnFailureError:
    """The failure of a process of ours that ended without an answer.

    Args:
        name: The process's name, which begins the sentence.
        exit_code: The exit code from ``os.waitstatus_to_exitcode``, negative for a signal; None if it did not end in
            time.
    """
    if exit_code is None or -exit_code in _TIME_SIGNALS:
        return TookTooLongError(f"{name} took too long.")
    if exit_code < 0:
        return OwnFailureError(f"{name} was ended by signal {-exit_code} ({signal.strsignal(-exit_code)}).")
    return OwnFailureError(f"{name} ended without an answer (exit status {exit_code}).")
