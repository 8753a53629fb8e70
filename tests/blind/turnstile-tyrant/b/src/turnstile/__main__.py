"""Let lines through: python -m turnstile LIMIT PERIOD."""

import sys

from turnstile.service import RateLimiter


def main(arguments: list[str]) -> int:
    """Copy lines from input to output, so many in every period; the exit status."""
    try:
        limit, period = arguments
        gate = RateLimiter(int(limit), float(period))
    except ValueError as error:
        print(f"turnstile: {error}", file=sys.stderr)
        return 2
    for line in sys.stdin:
        gate.acquire("line")
        sys.stdout.write(line)
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
