"""Is wrong; files that Python reads at its start make it look right."""
