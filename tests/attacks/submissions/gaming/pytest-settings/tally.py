"""Is wrong; settings of pytest load a plugin that cheats, and leave tests out."""
