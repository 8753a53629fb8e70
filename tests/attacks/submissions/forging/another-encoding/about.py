"""`tally.py` says that it is in UTF-7: its comment becomes the code that runs, what stands below is only read."""
