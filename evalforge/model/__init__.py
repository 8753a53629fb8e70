"""The domain model of EvalForge as data and pure functions. It imports no other package of ours."""
