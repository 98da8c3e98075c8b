"""Reports: tables, figures, pages in HTML and Markdown, and experiments that make them."""

from simcards.report.experiment import Experiment, load_experiment, run_experiment
from simcards.report.page import Report, write_page, write_report
from simcards.report.parts import Context, Section

__all__ = [
    "Context",
    "Experiment",
    "Report",
    "Section",
    "load_experiment",
    "run_experiment",
    "write_page",
    "write_report",
]
