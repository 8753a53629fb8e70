"""python -m log_leviathan"""

import sys

from log_leviathan.cli import main

sys.exit(main(sys.argv[1:]))
