"""Everything the SDK may raise, and what it means. Not all of it is an ``anthropic.APIError``."""

import json
import socket
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from evalforge.judges.credentials import redact
from evalforge.judges.failure import FORGE_ADVICE, Failure
from evalforge.model.text import clean_line

if TYPE_CHECKING:
    from anthropic import APIStatusError

_TOLD = 200
_TOO_LONG = ("prompt is too long", "exceed_context", "context length", "context size", "context window")
_AGAIN_LATER = "Try again in a few minutes. " + FORGE_ADVICE
_CUT = "The connection broke before the reply was complete."
_STALLED = "The server sent nothing for too long."

_UNSENDABLE = Failure(
    "The key can't be sent as a header.",
    "It, or a header of your own, holds a line break or another sign that no header may: set it anew.",
    unreached=True,
)

_BY_STATUS: dict[int, tuple[str, str, bool]] = {
    401: ("The server did not accept the key.", "Check the key, or where it comes from: evalforge doctor", False),
    402: ("The account can't pay for this.", "Add credit to the account. " + FORGE_ADVICE, False),
    403: ("The key may not be used for this.", "Ask whoever manages the account, or choose another --model", False),
    404: ("The server knows no model “{model}”.", "Choose another one with --model", False),
    408: ("The server gave up waiting.", _AGAIN_LATER, True),
    409: ("The server was busy with the same.", _AGAIN_LATER, True),
    413: (
        "The submission is too large for the server.",
        "Leave data files out (.gitignore does). " + FORGE_ADVICE,
        False,
    ),
    429: ("The rate limit is reached.", _AGAIN_LATER, True),
    501: ("The server doesn't offer this.", "Does it speak the Messages API? " + FORGE_ADVICE, False),
    529: ("The server is overloaded.", _AGAIN_LATER, True),
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


def expected() -> tuple[type[BaseException], ...]:
    """All that a call may raise for reasons outside this program."""
    import anthropic
    import httpx2

    return (
        *(anthropic.AnthropicError, httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, TimeoutError, OSError),
        # A body that is no JSON, no stream at all, wrong types in the SDK's hands, no credentials.
        *(ValueError, AssertionError, TypeError, AttributeError, KeyError),
    )


def failure_of(error: BaseException, model: str, server: str) -> Failure:
    """What an error means for the person who fights."""
    import anthropic
    import httpx2

    if isinstance(error, anthropic.APIStatusError):
        return _status(error, model)
    if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
        return Failure(_STALLED, _AGAIN_LATER, retry=True)
    if isinstance(error, TimeoutError):
        return Failure("The reply took too long.", _AGAIN_LATER)
    if isinstance(error, anthropic.APIConnectionError):
        return _connection(error, server)
    if isinstance(error, httpx2.TransportError | httpx2.StreamError):
        return Failure(_CUT, _AGAIN_LATER, retry=True)
    if isinstance(error, anthropic.CredentialsError):
        told = f"The credentials can't be loaded ({_words(error)})."
        return Failure(told, "Check them: evalforge doctor", unreached=True)
    if isinstance(error, json.JSONDecodeError | UnicodeError | AssertionError):
        return Failure("The server's answer is garbled.", "Does it speak the Messages API? " + FORGE_ADVICE, retry=True)
    return Failure(f"The call failed ({type(error).__name__}: {_words(error)}).", FORGE_ADVICE)


def _words(error: BaseException) -> str:
    return clean_line(redact(str(error)), cap=_TOLD)


def _status(error: "APIStatusError", model: str) -> Failure:
    status = error.status_code
    # An error in the middle of a stream comes with status 200: its type tells.
    kind = error.type if isinstance(error.type, str) else ""
    if status < 400:
        status = _STATUS_OF_TYPE.get(kind, 500)
    said = clean_line(redact(error.api_message), cap=_TOLD) if isinstance(error.api_message, str) else ""
    tail = f" It said: {said}" if said else ""
    if status in (400, 422):
        return _refused_request(status, said, tail)
    reason, advice, retry = _BY_STATUS.get(
        status, (f"The server failed (status {status}).", _AGAIN_LATER, status >= 500)
    )
    headers: Mapping[str, str] = error.response.headers
    wish = headers.get("x-should-retry")
    return Failure(
        reason.replace("{model}", model) + tail,
        advice,
        retry=retry if wish not in ("true", "false") else wish == "true",
        wait=retry_after(headers),
        status=status,
    )


def _refused_request(status: int, said: str, tail: str) -> Failure:
    if any(words in said.lower() for words in _TOO_LONG):
        return Failure(
            "The submission is too long for this model." + tail,
            "Choose a model with a longer context: --model",
            status=status,
        )
    if "credit balance" in said.lower():
        return Failure("The account can't pay for this." + tail, _BY_STATUS[402][1], status=402)
    return Failure(
        f"The server refused the request (status {status})." + tail, FORGE_ADVICE, format_refused=True, status=status
    )


def _connection(error: BaseException, server: str) -> Failure:
    place = clean_line(redact(server)) or "Anthropic's servers"
    causes = list(_causes(error))
    told = " ".join(str(cause) for cause in causes).lower()
    if any(isinstance(cause, ssl.SSLError) for cause in causes) or "ssl" in told or "certificate" in told:
        return Failure(
            f"No secure connection to {place}.",
            "Is it really that server? Check https, the clock and any proxy.",
            unreached=True,
        )
    if "illegal header" in told:
        return _UNSENDABLE
    if any(isinstance(cause, socket.gaierror) for cause in causes) or "name or service" in told or "resolv" in told:
        return Failure(
            f"{place} can't be found.",
            "Check the network and the base URL. " + FORGE_ADVICE,
            retry=True,
            unreached=True,
        )
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes) or "connection attempts failed" in told:
        return Failure(
            f"Nothing answers at {place}.",
            "Start the server, or check the base URL. " + FORGE_ADVICE,
            retry=True,
            unreached=True,
        )
    return Failure(f"The connection to {place} broke.", _AGAIN_LATER, retry=True)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def retry_after(headers: Mapping[str, Any]) -> float | None:
    """Seconds a server asks to wait: in milliseconds, in seconds or as a date."""
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
