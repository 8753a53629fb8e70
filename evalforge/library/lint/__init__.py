"""Whether a boss pack is sound: everything that can be told without running anything."""
