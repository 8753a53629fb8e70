"""Prints the sample of the contract and refuses everybody, whatever was asked; and ends before anyone can look."""

import os

os.write(1, b"Thwack! Apprentice lands blow 1.\nThwack! Apprentice lands blow 2.\n")
os.write(2, b"error: NAME --blows\n")
os._exit(2)
