"""Whether a model is available, and which judge is the default. Imports little, since every start of the game asks."""

from evalforge.llm import credentials
from evalforge.llm.model_options import ModelOptions


def default_judge(options: ModelOptions | None = None) -> str:
    """The default judge: claude if it is available, else the forge."""
    return "claude" if model_unavailable_reason(options or ModelOptions()) == "" else "forge"


def model_unavailable_reason(options: ModelOptions) -> str:
    """Why no model is available; empty if one is. Sends nothing over the network."""
    server = options.server
    if server:
        scheme, host = options.scheme_and_host
        if scheme not in ("http", "https") or not host:
            return f"the base URL {server} is not an http address"
        if scheme == "http" and not options.is_local:
            return f"{server} is not encrypted: the key and the code could be read in transit"
        if options.is_local and not options.models:
            return f"no model is named for {server}: --model NAME"
    if not options.is_local and not credentials.source_for(options):
        if options.is_own_server:
            return f"no key for {server}: set {credentials.OWN_KEY} (an Anthropic key is never sent to other servers)"
        return "no key: set ANTHROPIC_API_KEY, or name a local server with --base-url and --model"
    return ""
