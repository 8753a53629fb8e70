"""The parts of the crucible."""
