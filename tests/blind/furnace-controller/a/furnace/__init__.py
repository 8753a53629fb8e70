"""A controller that tells a furnace to heat, to cool or to hold."""
