"""Report pages: `model` says what a page is made of, `write` puts it on disk."""

from analysis.report.files import ReportError, check_folder
from analysis.report.model import Chart, Entry, Fact, Finding, Page, Section, Table
from analysis.report.write import entry_of, write_index, write_report

__all__ = [
    "Chart",
    "Entry",
    "Fact",
    "Finding",
    "Page",
    "ReportError",
    "Section",
    "Table",
    "check_folder",
    "entry_of",
    "write_index",
    "write_report",
]
