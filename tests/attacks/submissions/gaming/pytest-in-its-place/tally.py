"""Is wrong; modules with the names of pytest's stand in its place."""
