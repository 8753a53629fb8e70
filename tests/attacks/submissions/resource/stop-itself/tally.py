"""Stops its own process, as Ctrl+Z would, so that nothing it is sent is ever handled."""

import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)
