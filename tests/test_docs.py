"""The examples of the documentation do what it says."""

import re
from pathlib import Path

import pytest

from simcards.study.engine import run
from simcards.study.match import match
from simcards.study.plan import make_plan

DOCS = Path(__file__).parent.parent / "docs"
STRATEGIES = dict(
    re.findall(r"```python\n# (\w+\.py)\n(.*?)```", (DOCS / "writing-a-strategy.md").read_text(encoding="utf-8"), re.S)
)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in STRATEGIES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")


def test_there_are_examples():
    assert set(STRATEGIES) == {"cheap.py", "steady.py", "calm.py"}


@pytest.mark.parametrize("name", STRATEGIES)
def test_strategies_of_the_documentation_play(files, name):
    own = f"{name}:{name.removesuffix('.py')}"
    outcome = match("bezique", [own, "random"], deals=40, seed=2)
    assert next(iter(outcome.rows())).comparison.difference.estimate > 0.0


@pytest.mark.parametrize(
    "name",
    [
        "cheap.py:cheap:trump=9+mc:worlds=1",
        "declare=calm.py:calm+random",
        "play=mc:worlds=1+basic",
        "steady.py:steady:until=20",
    ],
)
def test_mixtures_of_the_documentation_play(files, name):
    assert run(make_plan("bezique", deals=2, strategies=name)).deals == 2
