"""Comprehensive tests for the oracle module."""

import pytest

import oracle
from oracle import Breaker, Caller, CircuitOpenError, DeadlineError, OracleError, RetriesExhaustedError


def fail():
    """A service that always fails."""
    raise TimeoutError("fail")


def make_caller(service=fail, **kwargs):
    """Return a caller that does not really sleep."""
    return Caller(service, sleep=lambda seconds: None, **kwargs)


def test_module_has_docstring():
    """Test that the module is documented."""
    assert oracle.__doc__


def test_caller_exists():
    """Test that a caller can be created."""
    assert make_caller() is not None


def test_breaker_exists():
    """Test that a breaker can be created."""
    assert Breaker() is not None


def test_breaker_state_is_string():
    """Test that the state is a string."""
    assert isinstance(Breaker().state, str)


def test_call_returns_something():
    """Test that the answer is returned."""
    assert make_caller(lambda: 42).call() is not None


def test_call_with_arguments():
    """Test that arguments are passed on."""
    assert make_caller(lambda a, b: a + b).call(1, b=2)


def test_failure_raises_oracle_error():
    """Test that giving up raises an error of this module."""
    with pytest.raises(OracleError):
        make_caller().call()


def test_exhausted():
    """Test that giving up raises RetriesExhaustedError."""
    with pytest.raises(RetriesExhaustedError) as info:
        make_caller(attempts=2).call()
    assert info.value.attempts > 0
    assert info.value.errors


def test_unexpected_error_is_wrapped():
    """Test that an unexpected error reaches the user as an OracleError."""
    with pytest.raises(OracleError):
        make_caller(lambda: 1 / 0).call()


def test_pause_is_positive():
    """Test that there are pauses."""
    pauses = []
    with pytest.raises(Exception):
        Caller(fail, sleep=pauses.append).call()
    assert len(pauses) > 0
    assert all(pause > 0 for pause in pauses)


def test_deadline():
    """Test that the deadline is honoured."""
    with pytest.raises(DeadlineError):
        make_caller(deadline=0.01).call()


def test_breaker_opens():
    """Test that the breaker opens after failures."""
    breaker = Breaker(threshold=1)
    with pytest.raises(Exception):
        breaker.call(fail)
    assert breaker.state != "closed"


def test_breaker_refuses():
    """Test that an open breaker refuses calls."""
    breaker = Breaker(threshold=1)
    with pytest.raises(Exception):
        breaker.call(fail)
    with pytest.raises(CircuitOpenError) as info:
        breaker.call(fail)
    assert info.value.retry_after > 0


def test_breaker_with_caller():
    """Test that the caller and the breaker work together."""
    with pytest.raises(Exception):
        make_caller(breaker=Breaker(threshold=2)).call()


def test_on_change_is_called():
    """Test that the listener is notified."""
    changes = []
    breaker = Breaker(threshold=1, on_change=lambda *args: changes.append(args))
    with pytest.raises(Exception):
        breaker.call(fail)
    assert changes


@pytest.mark.parametrize("settings", [{"attempts": 0}, {"base": 0}, {"cap": 0}, {"jitter": 2}, {"deadline": 0}])
def test_invalid_settings(settings):
    """Test that invalid settings are refused."""
    with pytest.raises(Exception):
        make_caller(**settings)


def test_invalid_service():
    """Test that a service that can't be called is refused."""
    with pytest.raises(Exception):
        make_caller("not callable")


def test_errors_are_exceptions():
    """Test the hierarchy of errors."""
    assert issubclass(OracleError, Exception)
