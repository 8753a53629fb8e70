"""The tabs about a class as a whole: levels, shared failures, similar code."""

from collections.abc import Callable, Mapping

from textual import on
from textual.app import ComposeResult
from textual.content import Content

from evalforge.app.classroom.findings import cluster_text, pair_rows, stuck_rows, title_of
from evalforge.app.classroom.levels import Member, group_rows, level_rows, total_rows
from evalforge.app.classroom.pairs import PairView
from evalforge.app.classroom.views import ClassSnapshot, ClassView
from evalforge.app.ui.theme.look import look
from evalforge.app.ui.widgets.heading import Heading
from evalforge.app.ui.widgets.line_view import LineView
from evalforge.app.ui.widgets.row_list import Row, Rows
from evalforge.app.ui.widgets.text_panel import Panel
from evalforge.classroom.failure_clusters import Cluster

_WIDE = 108
Files = Callable[[str], Mapping[str, str]]
"""Returns the files of a row's submission, by path."""


class LevelsView(ClassView):
    """Levels, totals and trials as bars; a line opens the rows behind it."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._snapshot: ClassSnapshot | None = None
        self._members: dict[str, Member] = {}

    def compose(self) -> ComposeResult:
        """Compose two columns, or one if space is short."""
        yield Rows("show them", id="levels-left")
        yield Rows("show them", id="levels-right")

    def renew(self, snapshot: ClassSnapshot) -> None:
        """Show the current state of the class."""
        self._snapshot = snapshot
        glyphs = look(self).glyphs
        levels, own = level_rows(snapshot.class_state, glyphs)
        totals, all_told = total_rows(snapshot.class_state, glyphs)
        groups, failing = group_rows(snapshot.class_state, snapshot.report, glyphs)
        self._members = {**own, **all_told, **failing}
        wide = self.size.width >= _WIDE
        right = self.query_one("#levels-right", Rows)
        right.display = wide
        air = [Row("air", lambda _: [()], is_static=True)]
        self.query_one("#levels-left", Rows).show(levels if wide else [*levels, *air, *totals, *groups])
        right.show([*totals, *groups] if wide else [])

    def on_resize(self) -> None:
        """Lay the lists out in one column or two."""
        if self._snapshot is not None:
            self.renew(self._snapshot)

    @on(Rows.Opened)
    def _opened(self, event: Rows.Opened) -> None:
        why, who = self._members.get(event.key, ("", frozenset()))
        if who:
            self.post_message(self.Narrowed(why, who))


class StuckView(ClassView):
    """Who fails in the same way, and next to it what they share."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._snapshot: ClassSnapshot | None = None

    def compose(self) -> ComposeResult:
        """Compose the clusters, and the chosen one in full."""
        yield Rows("show them", id="clusters")
        yield Panel(id="cluster")

    @property
    def selected_rows(self) -> tuple[str, ...]:
        """Everybody in the cluster under the cursor."""
        cluster = self._cluster(self.query_one(Rows).key)
        return cluster.members if cluster else ()

    def renew(self, snapshot: ClassSnapshot) -> None:
        """List the clusters of submissions that fail alike."""
        self._snapshot = snapshot
        waits = [Row("", lambda _: [((snapshot.why_not, "dim"),)], is_static=True)]
        self.query_one(Rows).show(
            stuck_rows(snapshot.report, snapshot.class_state, look(self).glyphs) if snapshot.report else waits
        )

    def _cluster(self, key: str) -> Cluster | None:
        report = self._snapshot.report if self._snapshot else None
        return (
            next((one for one in (*report.clusters, *report.singletons) if one.cluster_id == key), None)
            if report
            else None
        )

    @on(Rows.Pointed)
    def _pointed(self, event: Rows.Pointed) -> None:
        cluster = self._cluster(event.key)
        text = cluster_text(cluster, self._snapshot.class_state) if cluster and self._snapshot else Content("")
        self.query_one(Panel).set_text(text)
        self.post_message(self.Pointed(self, cluster.members[0] if cluster and len(cluster.members) == 1 else ""))

    @on(Rows.Opened)
    def _opened(self, event: Rows.Opened) -> None:
        cluster = self._cluster(event.key)
        if cluster and len(cluster.members) == 1:
            self.post_message(self.Opened(self, cluster.members[0]))
        elif cluster:
            self.post_message(self.Narrowed(cluster.title, frozenset(cluster.members)))


class AlikeView(ClassView):
    """Pairs to look at, and what they share side by side. Similar doesn't mean copied."""

    def __init__(self, files: Files, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._files = files
        self._snapshot: ClassSnapshot | None = None
        self._pair_view: PairView | None = None

    def compose(self) -> ComposeResult:
        """Compose the pairs, and the lines that two submissions share."""
        yield Rows("show both", id="pairs")
        yield Heading([("Similarity alone proves nothing: look before you judge.", "faint")], id="alike-words")
        yield LineView(id="beside")

    @property
    def selection(self) -> str:
        """The first submission of the pair."""
        pair = self._pair_view.pair if self._pair_view else None
        return pair.row_id if pair else ""

    def renew(self, snapshot: ClassSnapshot) -> None:
        """List the pairs of submissions that look alike."""
        self._snapshot = snapshot
        waits = [Row("", lambda _: [((snapshot.why_not, "dim"),)], is_static=True)]
        self.query_one(Rows).show(pair_rows(snapshot.report, snapshot.class_state) if snapshot.report else waits)

    def on_resize(self) -> None:
        """Redraw the lines for the new width."""
        self._show()

    @on(Rows.Pointed)
    def _pointed(self, event: Rows.Pointed) -> None:
        pairs = self._snapshot.report.lookalikes if self._snapshot and self._snapshot.report else ()
        pair = pairs[int(event.key)] if event.key.isdecimal() else None
        if pair is None:
            self._pair_view = None
        elif self._pair_view is None or self._pair_view.pair != pair:
            self._pair_view = PairView(pair, self._files(pair.row_id), self._files(pair.other_id))
        self._show()
        self.post_message(self.Pointed(self, self.selection))

    def _show(self) -> None:
        view = self.query_one(LineView)
        width = view.scrollable_content_region.width
        view.show(self._pair_view.lines(width, look(self).glyphs) if self._pair_view and width else [])

    @on(Rows.Opened)
    def _opened(self) -> None:
        """Open both submissions, because it is not for us to say which to read first."""
        pair, snapshot = self._pair_view.pair if self._pair_view else None, self._snapshot
        if pair is not None and snapshot is not None:
            names = " and ".join(title_of(snapshot.class_state, row_id) for row_id in (pair.row_id, pair.other_id))
            self.post_message(self.Narrowed(f"{names}, which look alike", frozenset((pair.row_id, pair.other_id))))
