"""Checks of a pack's known mistakes: whether they still hold, and which of them no trial distinguishes."""

from collections import defaultdict
from collections.abc import Iterator

from evalforge.model.errors import PackError
from evalforge.packs.document import read_document
from evalforge.packs.impostors import Impostor
from evalforge.packs.known_mistakes import FILE, KnownMistakes, signature_key
from evalforge.packs.lint.issue import LintIssue, issue_from_error
from evalforge.packs.lint.unchecked_pack import UncheckedPack
from evalforge.packs.path_checks import is_file

_REMEDY = "`evalforge check` measures them"


def check_known_mistakes(draft: UncheckedPack) -> Iterator[LintIssue]:
    """Yield a note if known mistakes are out of date, and one for each group that no trial distinguishes."""
    path = draft.path / FILE
    if draft.impostors is None or not is_file(path):
        return
    try:
        mistakes = read_document(path).parse(KnownMistakes)
        is_valid = mistakes.measured_with == signature_key(draft.path)
    except PackError as error:
        yield issue_from_error(error)
        return
    except OSError:  # another check says what can't be read
        return
    if not is_valid:
        message = f"trials, impostors or right programs have changed since, so no mistake is named: {_REMEDY} anew"
        yield LintIssue(path, None, message, is_problem=False)
        return
    alike = defaultdict[tuple[tuple[str, str], ...], list[tuple[int, Impostor]]](list)
    for index, impostor in enumerate(draft.impostors.value.impostors):
        signature = mistakes.signatures.get(impostor.id, {})
        if signature:
            alike[tuple(sorted(signature.items()))].append((index, impostor))
    for group in alike.values():
        if len({impostor.fault for _, impostor in group}) > 1:
            names = " and ".join(impostor.id for _, impostor in group)
            message = f"no trial distinguishes {names}: they fail alike, so only their clause is named"
            yield draft.impostors.issue(("impostors", group[-1][0]), message, is_problem=False)
