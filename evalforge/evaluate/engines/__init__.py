"""Ways to have jobs done: one call at a time and many at once, or handed in together."""
