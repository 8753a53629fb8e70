"""What the words of EvalForge mean, as data and pure functions. Imports nothing else of ours."""
