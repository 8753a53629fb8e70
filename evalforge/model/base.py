"""The two base classes of all models: both are frozen; one refuses unknown keys, the other keeps them."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Our own formats: immutable, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Open(BaseModel):
    """Formats others write (boss packs): immutable, unknown keys kept."""

    model_config = ConfigDict(frozen=True, extra="allow")
