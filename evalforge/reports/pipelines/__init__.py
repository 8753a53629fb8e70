"""Judged folders in the formats that pipelines read: JUnit XML, SARIF, annotations of GitHub, Markdown."""
