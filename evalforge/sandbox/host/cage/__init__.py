"""The sandbox of a process: the rights it gives up, layer by layer, before it runs untrusted code.

Modules here import nothing of ours from outside this folder, and nothing late: in the closed sandbox, our files can no
longer be read. What each layer stops is described in ``docs/explanation/sandbox.md``.
"""
