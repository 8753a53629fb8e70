"""Generic decoys: what earns no level of any boss, tried on a pack's exemplars to find criteria that can be bought."""
