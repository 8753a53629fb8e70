"""Its place puts the root on the path."""
