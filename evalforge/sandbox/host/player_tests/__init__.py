"""The player's own tests: collected and run with pytest, then run again on mutants of the player's code.

coordinator      runs none of the player's code: forks workers, hands out jobs, answers the client
  worker slots   a working copy of the submission each, and the workers that have it
    runner       a worker: collects the tests, runs them, runs them on mutants
"""
