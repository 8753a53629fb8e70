"""Everything the SDK may raise, and what each error means for the player. Not all are ``anthropic.APIError``."""

import json
import socket
import ssl
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, cast

from evalforge.llm.credentials import redact
from evalforge.llm.failure import FORGE_ADVICE, RETRY_ADVICE, CallFailedError, CallFailure
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from anthropic import APIStatusError

_OWN_PACKAGE = __name__.partition(".")[0]
_MAX_ERROR_CHARS = 200
_TOO_LONG_PHRASES = ("prompt is too long", "exceed_context", "context length", "context size", "context window")
_CONNECTION_BROKE = "The connection broke before the reply was complete."
_STALLED = "The server sent nothing for too long."

_UNSENDABLE_KEY = CallFailure(
    "The key can't be sent as a header.",
    "It, or a header of your own, holds a line break or another sign that no header may: set it again.",
    server_unreached=True,
)

_WRONG_URL = CallFailure(
    "The server has no Messages API at this address (status 404).",
    "Check the base URL: EvalForge adds /v1/messages to it.",
    server_unreached=True,
)
_BY_STATUS = {
    401: CallFailure("The server did not accept the key.", "Check the key, or where it comes from: evalforge doctor"),
    402: CallFailure("The account can't pay for this.", "Add credit to the account. " + FORGE_ADVICE),
    403: CallFailure("The key may not be used for this.", "Ask whoever manages the account, or choose another --model"),
    404: CallFailure("The server knows no model “{model}”.", "Choose another one with --model."),
    408: CallFailure("The server gave up waiting.", RETRY_ADVICE, is_retryable=True),
    409: CallFailure("The server was busy with the same.", RETRY_ADVICE, is_retryable=True),
    413: CallFailure(
        "The submission is too large for the server.", "Leave data files out (.gitignore does). " + FORGE_ADVICE
    ),
    429: CallFailure("The rate limit is reached.", RETRY_ADVICE, is_retryable=True),
    501: CallFailure("The server doesn't offer this.", "Does it offer the Messages API? " + FORGE_ADVICE),
    529: CallFailure("The server is overloaded.", RETRY_ADVICE, is_retryable=True),
}
_STATUS_OF_TYPE = {
    "overloaded_error": 529,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "invalid_request_error": 400,
}


@contextmanager
def call_failures(model: str, server: str) -> Generator[None]:
    """Turn a call's external errors into ``CallFailedError``; this program's own errors propagate unchanged."""
    try:
        yield
    except CallFailedError:
        raise
    except Exception as error:
        if _is_ours(error):
            raise
        raise CallFailedError(call_failure(error, model, server)) from None


def _is_ours(error: Exception) -> bool:
    """Return whether an exception is a fault of this program.

    The SDK validates little of what a server sends, so it may raise anything, but then within its own code. A body
    that that isn't JSON or text is the server's fault, wherever it is decoded.
    """
    import anthropic
    import httpx2

    outside = (anthropic.AnthropicError, httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, OSError)
    if isinstance(error, (*outside, json.JSONDecodeError, UnicodeDecodeError)):
        return False
    packages = [str(frame.f_globals.get("__name__", "")).partition(".")[0] for frame, _ in walk_tb(error.__traceback__)]
    last_own = max((index for index, package in enumerate(packages) if package == _OWN_PACKAGE), default=-1)
    return all(package in sys.stdlib_module_names for package in packages[last_own + 1 :])


def call_failure(error: BaseException, model: str, server: str) -> CallFailure:
    """Return what an exception of the SDK means for the player."""
    import anthropic
    import httpx2

    if isinstance(error, anthropic.APIStatusError):
        return _status_failure(error, model)
    if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
        return CallFailure(_STALLED, RETRY_ADVICE, is_retryable=True)
    if isinstance(error, TimeoutError):
        return CallFailure("The reply took too long.", RETRY_ADVICE)
    if isinstance(error, anthropic.APIConnectionError | httpx2.ConnectError):
        return _connection_failure(error, server)
    if isinstance(error, httpx2.TransportError | httpx2.StreamError):
        return CallFailure(_CONNECTION_BROKE, RETRY_ADVICE, is_retryable=True)
    if isinstance(error, anthropic.CredentialsError):
        reason = f"The credentials can't be loaded ({_error_text(error)})."
        return CallFailure(reason, "Check them: evalforge doctor", server_unreached=True)
    if isinstance(error, json.JSONDecodeError | UnicodeError | AssertionError):
        advice = "Does it offer the Messages API? " + FORGE_ADVICE
        return CallFailure("The server's answer is garbled.", advice, is_retryable=True)
    return CallFailure(f"The call failed ({type(error).__name__}: {_error_text(error)}).", FORGE_ADVICE)


def _error_text(error: BaseException) -> str:
    return clean_line(redact(str(error)), cap=_MAX_ERROR_CHARS)


def _status_failure(error: "APIStatusError", model: str) -> CallFailure:
    status = error.status_code
    # An error in the middle of a stream has status 200; its type says what it is.
    error_type = error.type if isinstance(error.type, str) else ""
    if status < 400:
        status = _STATUS_OF_TYPE.get(error_type, 500)
    message = clean_line(redact(error.api_message), cap=_MAX_ERROR_CHARS) if isinstance(error.api_message, str) else ""
    quoted_message = f" It said: “{message}”." if message else ""
    if status in (400, 422):
        return _refused_request_failure(status, message, quoted_message)
    if status == 404 and not _names_model(error.body):
        return replace(_WRONG_URL, status=status)
    failure = _BY_STATUS.get(status)
    if failure is None:
        failure = CallFailure(f"The server failed (status {status}).", RETRY_ADVICE, is_retryable=status >= 500)
    headers: Mapping[str, str] = error.response.headers
    retry_header = headers.get("x-should-retry")
    return replace(
        failure,
        reason=failure.reason.replace("{model}", model) + quoted_message,
        is_retryable=retry_header == "true" if retry_header in ("true", "false") else failure.is_retryable,
        retry_after_seconds=retry_after(headers),
        status=status,
    )


def _names_model(body: object) -> bool:
    """Whether a 404 is about the model: the API's own error, or JSON that mentions one. Any server can send a 404."""
    if not isinstance(body, dict):
        return False
    fields = cast("dict[str, object]", body)
    return fields.get("type") == "error" or "model" in str(fields).lower()


def _refused_request_failure(status: int, message: str, quoted_message: str) -> CallFailure:
    if any(phrase in message.lower() for phrase in _TOO_LONG_PHRASES):
        return CallFailure(
            "The submission is too long for this model." + quoted_message,
            "Choose a model with a longer context: --model",
            status=status,
        )
    if "credit balance" in message.lower():
        return CallFailure("The account can't pay for this." + quoted_message, _BY_STATUS[402].advice, status=402)
    return CallFailure(
        f"The server refused the request (status {status})." + quoted_message,
        FORGE_ADVICE,
        format_refused=True,
        status=status,
    )


def _connection_failure(error: BaseException, server: str) -> CallFailure:
    server_name = clean_line(redact(server)) or "Anthropic's servers"
    causes = list(_cause_chain(error))
    error_text = " ".join(str(cause) for cause in causes).lower()
    if any(isinstance(cause, ssl.SSLError) for cause in causes) or "ssl" in error_text or "certificate" in error_text:
        return CallFailure(
            f"No secure connection to {server_name}.",
            "Is it really that server? Check https, the clock and any proxy.",
            server_unreached=True,
        )
    if "illegal header" in error_text:
        return _UNSENDABLE_KEY
    if (
        any(isinstance(cause, socket.gaierror) for cause in causes)
        or "name or service" in error_text
        or "resolv" in error_text
    ):
        return CallFailure(
            f"{server_name} can't be found.",
            "Check the network and the base URL. " + FORGE_ADVICE,
            is_retryable=True,
            server_unreached=True,
        )
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes) or "connection attempts failed" in error_text:
        return CallFailure(
            f"Nothing answers at {server_name}.",
            "Start the server, or check the base URL. " + FORGE_ADVICE,
            is_retryable=True,
            server_unreached=True,
        )
    return CallFailure(f"The connection to {server_name} broke.", RETRY_ADVICE, is_retryable=True)


def _cause_chain(error: BaseException) -> Iterator[BaseException]:
    seen_ids: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen_ids:
        seen_ids.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def retry_after(headers: Mapping[str, Any]) -> float | None:
    """Read how many seconds a server asks to wait; headers give it in milliseconds, in seconds or as a date."""
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(str(headers.get(name, ""))) / scale
        except ValueError:
            continue
        return seconds if 0 <= seconds < float("inf") else None
    try:
        moment = parsedate_to_datetime(str(headers.get("retry-after", "")))
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
