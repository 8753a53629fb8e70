"""A model's claims, checked in the sandbox on the submission and on programs that keep the contract."""
