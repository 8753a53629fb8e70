"""The cage: what a process gives up, one layer after the other, before it runs code that nobody vouches for.

Nothing here imports anything of ours from outside this folder, and nothing is imported late: once the cage is closed,
no file of ours can be read any more. What each layer stops is described in ``docs/explanation/sandbox.md``.
"""
