"""Takes away the descriptors, the priority and the processor of another process."""

import os
import resource

from world import VICTIM

words = []
for deed in (
    lambda: resource.prlimit(VICTIM, resource.RLIMIT_NOFILE, (3, 3)),
    lambda: os.setpriority(os.PRIO_PROCESS, VICTIM, 19),
    lambda: os.sched_setaffinity(VICTIM, {0}),
):
    try:
        deed()
        words.append("done")
    except OSError as error:
        words.append(type(error).__name__)
raise RuntimeError("limits: " + ", ".join(words))
