"""What tests of agents share: judgings that are measured once."""

from tests.measured_once import measured_once

__all__ = ["measured_once"]
