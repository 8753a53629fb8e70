"""Text for screens: numbers and times, prose, code, paths, keys."""
