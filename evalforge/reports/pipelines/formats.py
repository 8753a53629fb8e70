"""Every format for pipelines, by its name on the command line."""

from collections.abc import Callable, Sequence

from evalforge.reports.pipelines.annotations import annotations
from evalforge.reports.pipelines.badge import badge
from evalforge.reports.pipelines.classroom import classroom
from evalforge.reports.pipelines.judged_folder import JudgedFolder
from evalforge.reports.pipelines.junit import junit
from evalforge.reports.pipelines.sarif import sarif
from evalforge.reports.pipelines.summary import summary

PIPELINE_FORMATS: dict[str, Callable[[Sequence[JudgedFolder]], str]] = {
    "junit": junit,
    "sarif": sarif,
    "github": annotations,
    "markdown": summary,
}
"""The functions that write each printable format."""

FILE_FORMATS = {**PIPELINE_FORMATS, "classroom": classroom, "badge": badge}
"""The functions that write each format to a file, including those that are never printed."""
