"""Generic decoys: changes that deserve no level, applied to exemplars to find criteria that can be gamed."""
