"""From a Tally to the JSON object."""

from dataclasses import asdict

from .tally import Tally


def build_report(tally: Tally) -> dict:
    rate = tally.trouble / tally.well_formed if tally.well_formed else None
    return {
        "lines": tally.well_formed + tally.malformed,
        "malformed": tally.malformed,
        "first": tally.earliest,
        "last": tally.latest,
        "levels": tally.levels,
        "components": tally.components,
        "error_rate": rate,
        "requests": tally.requests,
        "slowest": [asdict(request) for request in tally.slowest()],
    }
