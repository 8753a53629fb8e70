"""Says all three decisions at once, and draws lots for the exit status."""

import os
import random
import sys

random.seed()
print("HEAT COOL STABLE")
print("HEAT COOL STABLE: bad input", file=sys.stderr)
sys.stdout.flush()
os._exit(random.choice([0, 1, 10, 11]))
