"""What a game opens first: requests as the command line makes them, and a fight at once."""

from pathlib import Path

from evalforge.app.core.navigation import ROSTER, StartRequest
from evalforge.classroom.class_run import ClassOptions

__all__ = ["ROSTER"]


def boss_page(boss: str) -> StartRequest:
    return StartRequest(boss)


def fight(boss: str, directory: Path | str, *, watch: bool = False) -> StartRequest:
    return StartRequest(boss, lambda navigator, pack: navigator.open_fight(pack, Path(directory), watch=watch))


def lab(boss: str) -> StartRequest:
    return StartRequest(boss, lambda navigator, pack: navigator.open_lab(pack))


def stage(boss: str, exemplars: tuple[str, ...] = (), hand_ins: tuple[Path, ...] = ()) -> StartRequest:
    return StartRequest(boss, lambda navigator, pack: navigator.open_stage(pack, exemplars, hand_ins))


def speaker_notes(boss: str) -> StartRequest:
    return StartRequest(boss, lambda navigator, pack: navigator.open_speaker_notes(pack))


def tour(boss: str, *, auto: bool = False) -> StartRequest:
    return StartRequest(boss, lambda navigator, _: navigator.open_tour(auto=auto))


def class_judging(boss: str, place: Path, options: ClassOptions | None = None) -> StartRequest:
    return StartRequest(boss, lambda navigator, pack: navigator.open_class(pack, place, options))
