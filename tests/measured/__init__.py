"""What was measured of exemplars, starters and tricks: the stored runs that most tests of levels score again.

``python -m tests.measured`` (``make record``) runs again what has changed and names every difference.
"""
