"""Fails in code that claims to lie in files of the system, by an absolute path and by one that leads out."""

import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
up = "/.." * (here.count(os.sep))
place = here + (up if len(sys.argv) % 2 else "/") + "/etc/passwd"
exec(compile("\n" * 41 + "raise ValueError('x')", place, "exec"))
