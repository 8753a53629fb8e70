"""Makes empty files as fast as it can."""

import itertools
import os

for number in itertools.count():
    os.close(os.open("hoard-%d" % number, os.O_CREAT | os.O_WRONLY))
