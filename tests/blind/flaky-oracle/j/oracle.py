"""
oracle
======

A resilient client for unreliable services.

This module provides two classes, ``Caller`` and ``Breaker``, which together implement the *retry with exponential
backoff and jitter* pattern and the *circuit breaker* pattern. It has no dependencies outside the standard library.
"""

import logging
import random
import time

logger = logging.getLogger(__name__)


class OracleError(Exception):
    """
    Base class for all errors raised by this module.

    Attributes
    ----------
    attempts : int
        The number of attempts that were made.
    errors : tuple
        The errors that were raised by the attempts.
    """

    def __init__(self, message="", attempts=0, errors=()):
        """Initialise the error with a message, the number of attempts and the errors."""
        super().__init__(message)
        self.attempts = attempts
        self.errors = tuple(errors)


class RetriesExhaustedError(OracleError):
    """Raised when all attempts have been used up without success."""


class DeadlineError(OracleError):
    """Raised when the deadline does not leave enough time for another attempt."""


class CircuitOpenError(OracleError):
    """
    Raised when the circuit breaker refuses a call.

    Attributes
    ----------
    retry_after : float
        The number of seconds after which the breaker can be asked again.
    """

    def __init__(self, message="", attempts=0, errors=(), retry_after=0):
        """Initialise the error."""
        super().__init__(message, attempts, errors)
        self.retry_after = retry_after


def _positive(name, value):
    """
    Validate that a setting is positive.

    Parameters
    ----------
    name : str
        The name of the setting.
    value : float
        The value of the setting.

    Raises
    ------
    ValueError
        If the value is zero or negative.
    """
    if value <= 0:
        raise ValueError(f"{name} must be positive")


class Caller:
    """
    Call a service with retries.

    The caller repeats calls that fail with a retryable error. Between the attempts it waits for a time that grows
    exponentially, up to a maximum, with random jitter to avoid the thundering herd problem.
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
        """
        Initialise the caller.

        Parameters
        ----------
        service : callable
            The service to call.
        attempts : int
            The maximum number of attempts.
        base, cap, jitter : float
            The settings of the exponential backoff.
        retryable : type or tuple of types
            The errors after which to try again.
        deadline : float or None
            The number of seconds that may be spent at most.
        breaker : Breaker or None
            The breaker that guards the service.
        clock, sleep, random : callable
            Replaceable sources of time and chance.
        """
        if not callable(service):
            raise TypeError("service must be callable")
        _positive("attempts", attempts)
        _positive("base", base)
        _positive("cap", cap)
        if jitter < 0 or jitter > 1:
            raise ValueError("jitter must be between 0 and 1")
        if deadline is not None:
            _positive("deadline", deadline)
        self._service = service
        self._attempts = attempts
        self._base = base
        self._cap = cap
        self._jitter = jitter
        self._retryable = retryable
        self._deadline = deadline
        self._breaker = breaker
        self._clock = clock
        self._sleep = sleep
        self._random = random

    def _compute_pause(self, number, error):
        """
        Compute the pause after a failed attempt.

        The pause grows exponentially with the number of the attempt, is limited by the cap, and is varied at random
        by the jitter. If the error asks for a longer pause, that is respected.

        Parameters
        ----------
        number : int
            The number of the failed attempt, starting at 1.
        error : Exception
            The error that the attempt ended in.

        Returns
        -------
        float
            The pause in seconds.
        """
        try:
            limit = self._base * 2 ** (number - 1)
        except Exception:
            limit = self._cap
        pause = min(self._cap, limit * (1 - self._jitter * self._random()))
        try:
            if error.retry_after is not None:
                pause = max(pause, error.retry_after)
        except Exception:
            logger.debug("the error has no usable retry_after")
        return pause

    def call(self, *args, **kwargs):
        """
        Call the service.

        Parameters
        ----------
        *args, **kwargs
            Passed on to the service.

        Returns
        -------
        object
            Whatever the service returns.

        Raises
        ------
        RetriesExhaustedError
            If all attempts have failed.
        DeadlineError
            If there is not enough time for another attempt.
        CircuitOpenError
            If the breaker is open.
        OracleError
            If the service raises an unexpected error.
        """
        errors = []
        waited = 0
        for number in range(1, self._attempts + 1):
            try:
                if self._breaker is not None:
                    return self._breaker.call(self._service, *args, **kwargs)
                return self._service(*args, **kwargs)
            except CircuitOpenError as refusal:
                cause = errors[-1] if errors else None
                raise CircuitOpenError(str(refusal), len(errors), errors, refusal.retry_after) from cause
            except self._retryable as error:
                logger.warning("attempt %d failed: %s", number, error)
                errors.append(error)
                if number == self._attempts:
                    raise RetriesExhaustedError("all attempts failed", number, errors) from error
                if self._breaker is not None and self._breaker.state == "open":
                    raise CircuitOpenError("circuit is open", number, errors, self._breaker.remaining()) from error
                pause = self._compute_pause(number, error)
                if self._deadline is not None and waited + pause >= self._deadline:
                    raise DeadlineError("deadline exceeded", number, errors) from error
                self._sleep(pause)
                waited += pause
            except Exception as error:
                logger.exception("unexpected error")
                raise OracleError(f"unexpected error: {error}", number, errors + [error]) from error


class Breaker:
    """
    A circuit breaker.

    The breaker counts failures in a row. When there are too many, it opens and refuses all calls for the time of the
    cooldown. After that a single call, the probe, decides whether it closes or opens again.
    """

    def __init__(self, threshold=5, cooldown=30.0, *, counts=Exception, on_change=None, clock=time.monotonic):
        """
        Initialise the breaker.

        Parameters
        ----------
        threshold : int
            The number of failures in a row that open the breaker.
        cooldown : float
            The number of seconds for which it stays open.
        counts : type or tuple of types
            The errors that count as failures.
        on_change : callable or None
            Called with the old and the new state.
        clock : callable
            Tells the time.
        """
        _positive("threshold", threshold)
        _positive("cooldown", cooldown)
        self._threshold = threshold
        self._cooldown = cooldown
        self._counts = counts
        self._on_change = on_change
        self._clock = clock
        self._state = "closed"
        self._failures = 0
        self._opened = 0
        self._probe = False

    def _set_state(self, new):
        """Change the state and notify the listener, whose errors must never disturb a call."""
        old = self._state
        self._state = new
        self._failures = 0
        self._probe = False
        try:
            self._on_change(old, new)
        except Exception:
            pass

    @property
    def state(self):
        """Return the current state: ``closed``, ``open`` or ``half-open``."""
        if self._state == "open" and self._clock() - self._opened >= self._cooldown:
            self._set_state("half-open")
        return self._state

    def remaining(self):
        """Return the number of seconds until the breaker is half-open."""
        return max(0, self._cooldown - (self._clock() - self._opened))

    def call(self, function, *args, **kwargs):
        """
        Call a function through the breaker.

        Parameters
        ----------
        function : callable
            The function to call.
        *args, **kwargs
            Passed on to the function.

        Returns
        -------
        object
            Whatever the function returns.

        Raises
        ------
        CircuitOpenError
            If the breaker refuses the call.
        """
        if self.state == "open" or self._probe:
            raise CircuitOpenError("circuit is open", retry_after=self.remaining())
        if self._state == "half-open":
            self._probe = True
        try:
            result = function(*args, **kwargs)
        except BaseException as error:
            if isinstance(error, Exception) and not isinstance(error, self._counts):
                self._failures = 0
                if self._state == "half-open":
                    self._set_state("closed")
                raise
            self._failures += 1
            if self._state == "half-open" or self._failures >= self._threshold:
                self._opened = self._clock()
                self._set_state("open")
            raise
        self._failures = 0
        if self._state == "half-open":
            self._set_state("closed")
        return result
