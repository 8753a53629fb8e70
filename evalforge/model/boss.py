"""The boss and its codex: what to build, and what players read about it."""

from pydantic import Field

from evalforge.model.base import Open


class BossMetadata(Open):
    """How a boss is shown in the game, and which files it accepts as entry. Unknown keys are kept."""

    tier: int = Field(default=1, ge=1, le=4)
    realm: str = ""
    entry_files: tuple[str, ...] = ()
    contract: str = ""
    sprite: str = ""
    accent: str = Field(default="#d9822b", pattern=r"^#[0-9A-Fa-f]{6}$")
    skills: tuple[str, ...] = ()


class BossDefinition(Open):
    """What the player has to build."""

    boss_id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=80)
    title: str = Field(min_length=1)
    short_description: str = ""
    long_description: str = ""
    metadata: BossMetadata = BossMetadata()


class BossCodex(Open):
    """Lore and guidance in three tiers, and three hints for each criterion, nudge to worked pattern.

    The codex never hides a requirement: all requirements are in the boss's contract and in the rubric.
    """

    boss_id: str
    lore: str = ""
    attacks: str = ""
    strategy: str = ""
    hints: dict[str, tuple[str, ...]] = Field(default_factory=dict)
