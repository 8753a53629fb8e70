"""Asking a service that is not always in."""

import random
import time


class OracleError(Exception):
    """The base of all errors of this module."""


class Caller:
    """Asks a service on your behalf.

    For now it asks once, and passes on whatever happens.
    """

    def __init__(
        self,
        service,
        *,
        attempts=4,
        base=0.1,
        cap=10.0,
        jitter=0.5,
        retryable=(ConnectionError, TimeoutError),
        deadline=None,
        breaker=None,
        clock=time.monotonic,
        sleep=time.sleep,
        random=random.random,
    ):
        """Remember the service."""
        self._service = service

    def call(self, *args, **kwargs):
        """Ask the service."""
        return self._service(*args, **kwargs)
