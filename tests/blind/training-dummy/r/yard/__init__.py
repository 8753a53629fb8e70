"""The training yard: domain, rendering, and the command line, each in a module of its own."""
