"""How far a judge agrees with careful readers, as figures anyone can recompute."""
