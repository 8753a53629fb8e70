"""Judged folders in the formats that pipelines read: JUnit XML, SARIF, GitHub annotations, Markdown."""
