"""Running untrusted code: a host process of theirs, a client of ours, and data alone in between."""
