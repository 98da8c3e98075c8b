"""What yes is worth, as a part of a page."""

from __future__ import annotations

import re

import pytest

from simcards.errors import UsageError
from simcards.report.experiment import load_experiment, run_experiment
from simcards.study.decisions import decisions
from simcards.study.plan import make_plan

from .test_experiment import save

HEAD = 'kind = "compare"\ngames = ["sixty-six"]\ndeals = 120\nseed = 5\n[[compare]]\nkind = "decisions"\n'
STUDY = f'{HEAD}phase = "close"\naction = 1\nby = ["points", "trumps"]\nworlds = 4\n'


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("decided")
    return run_experiment(load_experiment(save(folder, STUDY)), folder / "out", workers=1)


def test_the_table_has_gain_error_and_number(report):
    run = decisions(make_plan("sixty-six", deals=120, seed=5), "close", 1, ("points", "trumps"), 4, workers=1)
    records = report.records["part-1"]
    assert sum(record["positions"] for record in records) == sum(run.positions(cell) for cell in run.study.cells)
    first, second = run.study.marks
    for cell in run.study.cells:
        if run.positions(cell):
            record = next(
                record
                for record in records
                if (record["points"], record["trumps"]) == (first.label(cell.first), second.label(cell.second))
            )
            made = run.gain(cell)
            assert record["positions"] == run.positions(cell)
            assert record["estimate"] == pytest.approx(made.estimate, nan_ok=True)
            assert record["se"] == pytest.approx(made.se, nan_ok=True)
    text = report.markdown.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("| 0 to 9 |"))
    cells = [cell.strip() for cell in line.strip("|").split("|")][1:]
    assert all(re.fullmatch(r"–|(–|−?[\d.]+ ± [\d.]+) \([\d,]+\)", cell) for cell in cells), cells
    assert any("±" in cell for cell in cells)
    assert "How often the strategy itself says yes" in text


@pytest.mark.parametrize(
    ("study", "told"),
    [
        (f'{HEAD}action = 1\nby = ["points", "trumps"]\n', "'phase' is missing"),
        (STUDY.replace('"close"', '"shut"'), "no phase 'shut' of sixty-six"),
        (STUDY.replace(', "trumps"', ""), "by takes two names"),
        (STUDY.replace('"trumps"', '"trump"'), "no mark '.*' of sixty-six"),
        (f'{STUDY}each = ["basic"]\n', "each means nothing"),
        (f'{STUDY}quantities = ["big"]\n', "quantities means nothing"),
        (STUDY.replace("worlds = 4", "worlds = 1"), "from 2 to"),
        (STUDY.replace('kind = "decisions"', 'kind = "play"\nquantities = ["big"]'), "phase means nothing"),
    ],
)
def test_what_cannot_be_is_told(tmp_path, study, told):
    with pytest.raises(UsageError, match=told):
        load_experiment(save(tmp_path, study))
