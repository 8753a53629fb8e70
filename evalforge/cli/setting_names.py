"""The names of settings: each one's option, variable and ``config.toml`` line, for docs and checks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Setting:
    """One setting; a field is empty if it can't be set that way.

    Attributes:
        meaning: Its meaning, in a few words.
        option: Its option on the command line, such as ``--motion``.
        variable: Its environment variable, such as ``EVALFORGE_MOTION``.
        example: An example line of ``config.toml``, such as ``motion = "reduced"``.
    """

    meaning: str
    option: str = ""
    variable: str = ""
    example: str = ""

    @property
    def key(self) -> str:
        """Its name in ``config.toml``; empty if it can't be set there."""
        return self.example.partition(" ")[0]


SETTINGS = (
    Setting("further bosses", "--bosses DIR", "EVALFORGE_BOSSES", 'bosses = ["DIR"]'),
    Setting("the judge", "--judge NAME", "EVALFORGE_JUDGE", 'judge = "forge"'),
    Setting("models for the judges claude and panel", "--model NAME[,NAME]", "EVALFORGE_MODEL", 'model = "NAME"'),
    Setting("a server with the Messages API", "--base-url URL", "EVALFORGE_BASE_URL", 'base_url = "URL"'),
    Setting("budget for model judges, in dollars", "--budget DOLLARS", "EVALFORGE_BUDGET", "budget = 0.50"),
    Setting(
        "the Python interpreter for your code (3.9 or newer)", "--python PATH", "EVALFORGE_PYTHON", 'python = "PATH"'
    ),
    Setting("motion: full, reduced or none", "--motion", "EVALFORGE_MOTION", 'motion = "reduced"'),
    Setting("the boss's own words: lively or plain (none)", "", "EVALFORGE_TONE", 'tone = "plain"'),
    Setting("the game's colours", "", "EVALFORGE_THEME", 'theme = "ember"'),
    Setting("whether the terminal's bell rings when a fight ends", "", "EVALFORGE_BELL", "bell = true"),
    Setting("your editor (else `$VISUAL` or `$EDITOR`)", "", "EVALFORGE_EDITOR", 'editor = "code --wait"'),
    Setting("the folder for starters and exports (else `~/evalforge`)", "", "EVALFORGE_FOLDER", 'folder = "DIR"'),
    Setting("run code even without a sandbox; announced each time", "--i-trust-this-code"),
    Setting("where attempts are kept", "", "EVALFORGE_HOME"),
    Setting("1 for ASCII signs only, 0 for all (else by locale)", "", "EVALFORGE_ASCII"),
    Setting("the key of a server named by --base-url", "", "EVALFORGE_API_KEY"),
    Setting(
        "one key for the trials' random numbers on several machines",
        "",
        "EVALFORGE_TRIAL_KEY",
    ),
)
"""All settings, in display order."""

CONFIG_KEYS = frozenset(setting.key for setting in SETTINGS if setting.key)
"""The keys that ``config.toml`` may contain."""
