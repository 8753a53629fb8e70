"""From a directory to a submission: which files count, which folder and which entry file a player means."""
