"""Stage mode from the command line: the stage itself, or the speaker's notes that follow it."""

from argparse import Namespace

from evalforge.cli import settings
from evalforge.cli.commands.play import start
from evalforge.model.errors import UsageError
from evalforge.packs.find_pack import find_pack


def stage(arguments: Namespace) -> int:
    """Teach a boss's rubric, or follow the stage that does.

    Raises:
        UsageError: There is no such boss, exemplar or folder; nothing is drawn then.
    """
    from evalforge.app import start_request
    from evalforge.app.teaching.lesson_plan import make_lesson

    pack = find_pack(arguments.boss, settings.load(arguments).bosses)
    # Given by its path, a pack lies where nobody else would look.
    arguments.bosses = [pack.path, *arguments.bosses]
    if arguments.notes:
        if arguments.exemplar or arguments.hand_in:
            raise UsageError(
                "--notes shows what the stage shows.", "Name exemplars and folders where the stage is opened."
            )
        return start(arguments, start_request.speaker_notes(pack.boss_id))
    make_lesson(pack, arguments.exemplar, arguments.hand_in)
    request = start_request.stage(
        pack.boss_id,
        exemplars=tuple(arguments.exemplar),
        hand_ins=tuple(folder.absolute() for folder in arguments.hand_in),
        # A key in the environment may make Claude the judge of a fight; a lesson costs money only if that is asked for.
        judge=getattr(arguments, "judge", "") or "forge",
    )
    return start(arguments, request)
