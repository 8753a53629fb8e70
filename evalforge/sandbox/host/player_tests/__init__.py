"""Running of the player's own tests: with pytest on their code, then on mutants of it.

coordinator      runs none of the player's code: forks workers, gives them jobs, answers the client
  worker slots   a working copy of the submission each, with its workers
    runner       a worker: collects the tests, runs them, runs them on mutants
"""
