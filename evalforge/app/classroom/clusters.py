"""Submissions that fail in the same way, the largest cluster first, and what each cluster shares."""

from textual.content import Content

from evalforge.app.classroom.class_state import ClassState
from evalforge.app.classroom.tab_rows import ClassSnapshot, TabRow, hanging_lines, heading_row
from evalforge.app.ui.text.formatting import plural
from evalforge.app.ui.text.markup import spans
from evalforge.app.ui.text.styled_text import Run, styled
from evalforge.app.ui.theme.glyphs import Glyphs
from evalforge.app.ui.widgets.row_list import Row, message_row
from evalforge.classroom.failure_clusters import Cluster
from evalforge.model.text import clean_line

_MAX_LINES = 2


def cluster_rows(snapshot: ClassSnapshot, glyphs: Glyphs) -> list[Row]:
    """List the clusters; then submissions that fail like no other."""
    report, class_state = snapshot.report, snapshot.class_state
    if report is None:
        return [message_row(snapshot.why_not)]
    rows: list[Row] = [
        _cluster_row(cluster, f"{len(cluster.members):>3}  ", cluster.title, class_state) for cluster in report.clusters
    ] or [message_row("No two submissions fail in the same way.")]
    if report.singletons:
        rows.append(heading_row("singletons", f"Failing in their own way ({len(report.singletons)})", gap_above=True))
    for singleton in report.singletons:
        title = f"{class_state.title_of(singleton.members[0])}: {singleton.title}"
        rows.append(_cluster_row(singleton, f"  {glyphs.dot}  ", title, class_state))
    return rows


def _cluster_row(cluster: Cluster, head: str, title: str, class_state: ClassState) -> TabRow:
    return TabRow(
        cluster.cluster_id,
        lambda width: hanging_lines(head, title, width, _MAX_LINES),
        selected_ids=cluster.members,
        listed_ids=frozenset(cluster.members if len(cluster.members) > 1 else ()),
        filter_title=cluster.title,
        details=lambda: _cluster_text(cluster, class_state),
    )


def _cluster_text(cluster: Cluster, class_state: ClassState) -> Content:
    """The members of a cluster, and the trials and conditions they share."""
    parts: list[Run] = [*spans(clean_line(cluster.title), "bold ash"), ("\n", "")]
    names = ", ".join(map(class_state.title_of, cluster.members))
    parts += [(f"{plural(len(cluster.members), 'submission')}  ", "molten"), (f"{names}\n", "dim")]
    if cluster.trials:
        parts.append((f"\nThe trials they fail ({len(cluster.trials)})\n", "bold steel"))
    for trial in cluster.trials:
        group = clean_line(trial.group).replace("_", " ")
        parts += [("  · ", "blood"), *spans(clean_line(trial.title or trial.id), "ash")]
        parts.append((f"  {group}\n", "faint"))
    if cluster.conditions:
        parts.append(("\nWhat keeps them from the next level\n", "bold steel"))
    for condition in cluster.conditions:
        parts += [("  · ", "dim"), *spans(clean_line(condition.words), "ash")]
        parts.append((f"  {clean_line(class_state.rubric.labels.get(condition.criterion_id, ''))}\n", "faint"))
    return styled(*parts)
