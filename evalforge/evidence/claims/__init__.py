"""Claims of a model, run in the cage: on the submission and on programs that keep the contract."""
