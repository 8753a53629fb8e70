"""Is empty."""
