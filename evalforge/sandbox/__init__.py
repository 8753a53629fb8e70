"""Running of untrusted code: a host process that runs it, a trusted client, and only data between the two."""
