"""Is wrong; a conftest.py turns every outcome into a success."""
