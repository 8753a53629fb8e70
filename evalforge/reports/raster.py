"""Pictures as pixels, by libraries of the extra ``picture`` that are loaded on demand."""

import io
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from evalforge.model.errors import UsageError
from evalforge.model.installation import install_command
from evalforge.reports.svg import FONT_FAMILY

_GIF_COLOURS = 128


def png(svg: str, width: int) -> bytes:
    """Convert one of our SVGs to a PNG of this width.

    Raises:
        UsageError: The library isn't installed.
    """
    families = [name.strip("' ") for name in FONT_FAMILY.split(",")]
    monospace = next((name for name in families if "DejaVu" in name), families[-1])
    return bytes(_load("resvg_py").svg_to_bytes(svg_string=svg, width=width, monospace_family=monospace))


def gif(pictures: Sequence[bytes], seconds: Sequence[float]) -> bytes:
    """Combine PNGs into a looping GIF, each shown for its number of seconds.

    Raises:
        UsageError: The library isn't installed.
    """
    image = _load("PIL.Image")
    opened = [image.open(io.BytesIO(picture)).convert("RGB").quantize(_GIF_COLOURS) for picture in pictures]
    out = io.BytesIO()
    milliseconds = [round(second * 1000) for second in seconds]
    opened[0].save(out, "GIF", save_all=True, append_images=opened[1:], duration=milliseconds, loop=0, optimize=True)
    return out.getvalue()


def _load(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        text = f"A picture in pixels needs {name.partition('.')[0].replace('PIL', 'pillow').replace('_', '-')}."
        raise UsageError(text, f"Install it: {install_command('picture')}") from None
