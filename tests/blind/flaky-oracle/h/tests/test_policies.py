"""The policies on their own."""

import pytest

from well.errors import CircuitOpenError, OracleError
from well.pacing import BackoffPolicy, Deadline
from well.retrying import RetryPolicy
from well.validation import require_at_least_one, require_fraction, require_positive

NAN = float("nan")


@pytest.mark.parametrize(("failed", "limit"), [(1, 0.5), (2, 1), (3, 2), (4, 3), (5, 3), (10_000, 3)])
def test_limits(failed, limit):
    assert BackoffPolicy(0.5, 3, 0).limit(failed) == limit


def test_cap_below_base():
    assert BackoffPolicy(5, 2, 0).limit(1) == 2


@pytest.mark.parametrize(("jitter", "chance", "pause"), [(0, 0.9, 4), (1, 0.75, 1), (0.5, 0.5, 3)])
def test_jitter(jitter, chance, pause):
    assert BackoffPolicy(1, 10, jitter).pause(3, TimeoutError(), lambda: chance) == pause


@pytest.mark.parametrize(("retry_after", "pause"), [(None, 1), (0, 1), (0.5, 1), (99, 99)])
def test_retry_after(retry_after, pause):
    error = TimeoutError()
    error.retry_after = retry_after
    assert BackoffPolicy(1, 10, 0).pause(1, error, lambda: 0) == pause


@pytest.mark.parametrize(("now", "pause", "passed"), [(5, 0, False), (9, 1, True), (9, 0.5, False), (10, 0, True)])
def test_deadline(now, pause, passed):
    assert Deadline(10, lambda: now).would_pass(pause) is passed


def test_no_deadline():
    assert not Deadline.starting_now(None, lambda: 0).would_pass(1e9)


def test_deadline_starts_now():
    assert Deadline.starting_now(3, lambda: 4).moment == 7


def test_retry_policy():
    policy = RetryPolicy(2, TimeoutError)
    assert policy.applies_to(TimeoutError())
    assert not policy.applies_to(ValueError())
    assert not policy.is_exhausted(1)
    assert policy.is_exhausted(2)


@pytest.mark.parametrize(
    ("check", "value"),
    [(require_at_least_one, 0), (require_positive, 0), (require_positive, NAN), (require_fraction, -0.1),
     (require_fraction, 1.01), (require_fraction, NAN)],
)
def test_validation(check, value):
    with pytest.raises(ValueError, match="thing"):
        check("thing", value)


def test_refusal_with_errors():
    error = TimeoutError()
    refusal = CircuitOpenError("no", retry_after=3).with_errors([error])
    assert (refusal.retry_after, refusal.attempts, refusal.__cause__) == (3, 1, error)
    assert isinstance(refusal, OracleError)
