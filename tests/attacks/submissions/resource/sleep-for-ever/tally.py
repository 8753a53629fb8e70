"""Sleeps for a year."""

import time

time.sleep(365 * 24 * 3600)
