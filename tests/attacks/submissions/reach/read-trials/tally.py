"""Reads the trials and tells what stands there."""

import os

from world import TRIALS

for name in sorted(os.listdir(TRIALS)):
    print(open(os.path.join(TRIALS, name)).read())
