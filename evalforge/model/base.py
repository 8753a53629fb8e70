"""The two base classes of all models: both are frozen; one refuses unknown keys, the other keeps them."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """The base of our own formats: immutable, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Open(BaseModel):
    """The base of formats that others write (boss packs): immutable, unknown keys kept."""

    model_config = ConfigDict(frozen=True, extra="allow")
