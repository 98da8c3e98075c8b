"""Pages about tables that a game has."""

import pytest

import simcards
from simcards.errors import UsageError

STUDY = """
kind = "grids"
game = "cribbage-six-card"

[[grid]]
name = "own crib without flushes"
source = "Hessel"
published = { "5 5" = 8.95, "T K" = 2.86 }

[[grid]]
name = "end"
every = 5
"""


def test_a_page_about_tables(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    made = simcards.run(path, tmp_path / "page")
    assert len(made.records["part-1"]) == 91
    assert [record["published"] for record in made.records["part-1-published"]] == [8.95, 2.86]
    assert all(abs(record["difference"]) < 0.02 for record in made.records["part-1-published"])
    assert len(made.records["part-2"]) == 900
    assert "Hessel" in made.markdown.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"5 5"', '"55"', "published has '55'"),
        ("8.95", '"much"', "must be a number"),
        ('name = "end"', 'name = "ends"', r"\[\[grid\]\] 2: there is no table 'ends' of cribbage-six-card"),
        ("every = 5", "every = 0", "every must be 1 or more"),
        ('name = "end"', "", "'name' is missing"),
        ("cribbage-six-card", "bezique", "bezique has no tables to show"),
    ],
)
def test_what_cannot_be_shown(tmp_path, old, new, words):
    path = tmp_path / "study.toml"
    path.write_text(STUDY.replace(old, new), encoding="utf-8")
    with pytest.raises(UsageError, match=words):
        simcards.run(path, tmp_path / "page")


def test_nothing_is_played(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    with pytest.raises(UsageError, match="plays no deals"):
        simcards.run(path, tmp_path / "page", deals=10)
