"""Runs of the player's programs: the host forks a child for each run.

server          the host's loop: one request, one run
  run           one run as the host sees it: fork, watch, end, collect
    child       the forked child: it enters the sandbox, then becomes the player's program
      session   or it serves calls from the client into the player's modules
"""
