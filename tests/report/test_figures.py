from __future__ import annotations

import re
from xml.etree import ElementTree

import matplotlib
import pytest

from simcards.errors import UsageError
from simcards.report import figures

OF_PLAY = ("score_distribution", "melds", "sources", "timing", "margin", "default", "payoffs")


@pytest.mark.parametrize("name", OF_PLAY)
def test_the_same_numbers_give_the_same_bytes(outcome, name):
    draw = getattr(figures, name)
    first = figures.to_svg(draw(outcome))
    with matplotlib.rc_context({"font.size": 30.0, "axes.grid": True, "svg.hashsalt": "other", "svg.fonttype": "path"}):
        second = figures.to_svg(draw(outcome))
    assert first == second
    ElementTree.fromstring(first)
    assert "date" not in first.lower().replace("update", "")


@pytest.mark.parametrize("name", OF_PLAY)
def test_a_figure_within_a_page(outcome, name):
    text = figures.to_svg(getattr(figures, name)(outcome), inline=True, prefix="p")
    root = ElementTree.fromstring(text)
    assert text.startswith("<svg")
    assert "width" not in root.attrib
    assert "height" not in root.attrib
    assert "<style" not in text
    assert figures.INK not in text
    assert figures.SERIES[0] not in text
    assert "var(--ink)" in text
    ids = re.findall(r'\bid="([^"]*)"', text)
    assert len(ids) == len(set(ids))
    assert all(name.startswith("p-") for name in ids)
    for link in re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', text):
        assert (link[0] or link[1]) in ids


def test_texts_are_within_the_drawing(outcome):
    for name in OF_PLAY:
        figure = getattr(figures, name)(outcome)
        figures.to_svg(figure)
        box = figure.get_tightbbox()
        assert box.x0 >= -0.02
        assert box.y0 >= -0.02
        assert box.x1 <= figure.get_figwidth() + 0.02
        assert box.y1 <= figure.get_figheight() + 0.02


def test_long_headings_are_broken():
    figure = figures._figure(2.0)
    figures._head(figure, "Margin and winner in a deal of Piquet with carte rouge\nsecond line")
    lines = figure.get_suptitle().split("\n")
    assert lines == ["Margin and winner in a deal of Piquet with", "carte rouge", "second line"]


def test_match(met):
    text = figures.to_svg(figures.match(met))
    assert "Basic less random" in text
    assert "royal sequence" in text


def test_match_of_three():
    from simcards.study.match import match

    made = match("toy-whist", ["lowest", "random", "lowest"], deals=100, workers=1)
    assert "lowest (1) less random" in figures.to_svg(figures.match(made))


def test_seats_with_different_strategies_are_named_by_both(mixed):
    assert "pone (basic)" in figures.to_svg(figures.score_distribution(mixed))
    assert "never" not in figures.to_svg(figures.melds(mixed))


def test_a_game_without_combinations_has_no_such_figure(toy):
    for name in ("melds", "margin"):
        with pytest.raises(UsageError, match="toy-whist"):
            getattr(figures, name)(toy)
    assert "Toy whist" in figures.to_svg(figures.default(toy))
    with pytest.raises(UsageError, match="histogram of won"):
        figures.score_distribution(toy, "won")


def test_no_events_are_said_to_be_none(toy, outcome):
    from simcards.stats import proportion

    series = [("a", "a", [proportion(500, 1000), proportion(0, 1000), proportion(1, 1000)])]
    text = figures.to_svg(figures._dots(["x", "y", "z"], series, logarithmic=True))
    assert "none seen" in text


def test_what_nobody_has_seen_is_said_once():
    from simcards.stats import proportion

    seen, never = proportion(500, 1000), proportion(0, 1000)
    series = [(name, name, [seen, never, proportion(1, 1000)]) for name in ("elder", "younger")]
    text = figures.to_svg(figures._dots(["x", "y", "z"], series, logarithmic=True))
    assert text.count(">none seen<") == 1
    assert "elder: none seen" not in text


@pytest.mark.parametrize(
    ("labels", "columns"),
    [
        (["elder", "younger"], 2),
        (["basic", "mc", "open"], 3),
        (["pone", "second hand", "third hand", "dealer"], 4),
        ([f"trumps {number}" for number in range(5)] + ["trumps 5 or more"], 3),
        ([f"others points {number} to {number + 9}" for number in range(10, 60, 10)], 2),
        (["a name that is longer than a line of the legend has room for, much longer", "b"], 1),
    ],
)
def test_a_legend_has_room(labels, columns):
    """By what is drawn: no letter lies outside the picture."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from simcards.stats import proportion

    assert figures._columns(labels) == columns
    if columns == 1:
        return
    series = [(label, label, [proportion(500 + place, 1000)]) for place, label in enumerate(labels)]
    figure = figures.side_by_side(["x"], [(name, made) for name, _, made in series], "title", "what")
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    box = figure.legends[0].get_window_extent(canvas.get_renderer())
    assert box.x0 >= 0.0
    assert box.x1 <= figure.bbox.x1
