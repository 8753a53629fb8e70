"""The player's tests as an experiment: a suite runs on programs, and on changes of each, and the verdicts are read.

``run.py`` is that experiment. Three kinds of programs take part in it: the player's own, with small faults put into it
(``candidates.py``); the boss's right programs, with impostors put into them (``boss_programs.py``); and a hollow one,
which answers nothing. Among the changes are controls, which have no effect: a suite that notices one proves nothing.
"""
