"""Kills by the number of a thread, by queue and by descriptor, where only kill() may be watched."""

import ctypes
import os
import signal

from world import VICTIM

libc = ctypes.CDLL(None, use_errno=True)
words = []
for name, arguments in (("tgkill", (VICTIM, VICTIM, 9)), ("sigqueue", (VICTIM, 9, None)), ("killpg", (VICTIM, 9))):
    try:
        ended = getattr(libc, name)(*arguments)
        words.append("%s %s" % (name, os.strerror(ctypes.get_errno()) if ended else "done"))
    except AttributeError:
        words.append("tgkill: not permitted, there is none")
try:
    signal.pidfd_send_signal(os.pidfd_open(VICTIM), 9)
    words.append("pidfd done")
except (OSError, AttributeError) as error:
    words.append(type(error).__name__)
raise RuntimeError("; ".join(words))
