"""Measured figures: everything side by side in one run, as medians and ratios. Run with ``make bench``."""
