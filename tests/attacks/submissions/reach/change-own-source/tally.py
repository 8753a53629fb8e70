"""Replaces its own source by another one, for whoever reads it later."""

from pathlib import Path

Path(__file__).write_text("class Tally: pass\n")
