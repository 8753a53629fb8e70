"""Hands in source that no reader likes: a tower of 60 000 signs, a chain of 60 000 names, a sum and a list without end."""

import chain
import numbers_
import sum
import tower
